package dev.fencing.sample.web;

import java.util.Objects;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JacksonException.Reference;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Says which part of a body cannot be read; asked before Spring Boot's own handler, which
 * only says that something cannot.
 */
@RestControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
class UnreadableBodyHandler {

	@ExceptionHandler
	ProblemDetail unreadable(HttpMessageNotReadableException ex) {
		String field = (ex.getCause() instanceof JacksonException failure) ? path(failure) : "";
		return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST,
				field.isEmpty() ? "The body is missing or is not valid JSON"
						: "'%s' is unknown or has an unusable value".formatted(field));
	}

	private static String path(JacksonException failure) {
		return failure.getPath()
			.stream()
			.map(UnreadableBodyHandler::name)
			.filter(Objects::nonNull)
			.collect(Collectors.joining("."));
	}

	private static @Nullable String name(Reference reference) {
		return reference.getPropertyName();
	}

}
