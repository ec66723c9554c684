package dev.fencing.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The sample application. It brings its own PostgreSQL and Redis; with the profile
 * {@code external} it uses those that {@code spring.datasource.*} and
 * {@code spring.data.redis.*} name.
 *
 * @since 0.1.0
 */
@SpringBootApplication
public class SampleApplication {

	/**
	 * Start the application.
	 * @param args properties, as {@code --server.port=8081}
	 */
	public static void main(String[] args) {
		SpringApplication.run(SampleApplication.class, args);
	}

}
