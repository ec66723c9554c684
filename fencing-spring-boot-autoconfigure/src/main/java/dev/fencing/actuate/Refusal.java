package dev.fencing.actuate;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Why the endpoint does not do what it was asked for.
 *
 * @param error the reason, and what to do
 * @since 0.1.0
 */
public record Refusal(String error) implements OperationResponseBody {
}
