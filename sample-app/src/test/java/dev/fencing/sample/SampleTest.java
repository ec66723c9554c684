package dev.fencing.sample;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.test.context.SpringBootTest;

/**
 * The application as it is, with its own servers, on a free port and without the races at
 * start-up. All classes share one.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(classes = SampleApplication.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "sample.demo=false", "fencing.lock.wait-time=1s", "fencing.instance-id=sample-1" })
public @interface SampleTest {

}
