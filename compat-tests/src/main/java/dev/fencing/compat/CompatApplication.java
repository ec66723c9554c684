package dev.fencing.compat;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * Starts the application.
 */
@SpringBootApplication
public class CompatApplication {

	public static void main(String[] args) {
		SpringApplication.run(CompatApplication.class, args);
	}

}
