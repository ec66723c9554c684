package dev.fencing.sample.document;

import com.fasterxml.jackson.annotation.JsonFormat;

/**
 * A document.
 *
 * @param id its number
 * @param title its title
 * @param fencingToken the token of the write that gave it this title, zero if it was
 * never written under a lease; text in JSON, since it is greater than what JavaScript can
 * hold
 * @since 0.1.0
 */
public record Document(long id, String title, @JsonFormat(shape = JsonFormat.Shape.STRING) long fencingToken) {
}
