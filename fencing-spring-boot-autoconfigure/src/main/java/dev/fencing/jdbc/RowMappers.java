package dev.fencing.jdbc;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.SimplePropertyRowMapper;
import org.springframework.jdbc.core.SingleColumnRowMapper;

/**
 * Keeps a mapper for each class that rows were made of.
 */
final class RowMappers {

	private final Map<Class<?>, RowMapper<?>> mappers = new ConcurrentHashMap<>();

	/**
	 * Return a mapper of the single column for a simple type, or of the properties for
	 * another one.
	 */
	@SuppressWarnings("unchecked")
	<T> RowMapper<@Nullable T> get(Class<T> mappedClass) {
		return (RowMapper<@Nullable T>) this.mappers.computeIfAbsent(mappedClass, RowMappers::create);
	}

	private static <T> RowMapper<?> create(Class<T> mappedClass) {
		ConversionService conversion = DefaultConversionService.getSharedInstance();
		return BeanUtils.isSimpleProperty(mappedClass) ? SingleColumnRowMapper.newInstance(mappedClass, conversion)
				: new SimplePropertyRowMapper<>(mappedClass, conversion);
	}

}
