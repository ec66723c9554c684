package dev.fencing.actuate;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What became of a lease that an operator has ended.
 *
 * @param resource the resource
 * @param ended whose lease was ended; null if nobody had it
 * @param fencedBy the generation that is registered since, so that nothing of an earlier
 * owner commits any more, as a decimal string; null if there is none
 * @param holder who has the lease now; null if nobody does
 * @param error what could not be done and why; null if all was done
 * @since 0.1.0
 */
@JsonInclude(Include.ALWAYS)
public record TerminationReport(String resource, ResourceReport.@Nullable Holder ended, @Nullable String fencedBy,
		ResourceReport.@Nullable Holder holder, @Nullable String error) implements OperationResponseBody {
}
