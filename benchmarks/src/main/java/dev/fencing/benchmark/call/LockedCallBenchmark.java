package dev.fencing.benchmark.call;

import java.util.Objects;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.fencing.FencedLock;
import dev.fencing.autoconfigure.FencingAutoConfiguration;

/**
 * What a locked method costs by itself: annotation, key, lease, context, with leases that
 * are kept in this process and no database.
 *
 * @since 0.1.0
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class LockedCallBenchmark {

	private @Nullable ConfigurableApplicationContext context;

	private @Nullable Accounts accounts;

	private final Accounts plain = new Accounts();

	private long id;

	/**
	 * Start an application.
	 */
	@Setup
	public void start() {
		this.context = new SpringApplicationBuilder(Application.class)
			.properties("fencing.provider=memory", "fencing.jdbc.registration=false", "spring.main.banner-mode=off",
					"spring.main.web-application-type=none")
			.run();
		this.accounts = this.context.getBean(Accounts.class);
	}

	/**
	 * Stop it.
	 */
	@TearDown
	public void stop() {
		Objects.requireNonNull(this.context).close();
	}

	/**
	 * Call a method of an object that no proxy is around.
	 * @return what it returns
	 */
	@Benchmark
	public long bare() {
		return this.plain.bare(++this.id);
	}

	/**
	 * Call a method with a lock that has no key.
	 * @return what it returns
	 */
	@Benchmark
	public long locked() {
		return accounts().locked(++this.id);
	}

	/**
	 * Call a method with a lock whose key is an argument.
	 * @return what it returns
	 */
	@Benchmark
	public long lockedByArgument() {
		return accounts().lockedByArgument(++this.id);
	}

	/**
	 * Call a method with a lock whose key is computed.
	 * @return what it returns
	 */
	@Benchmark
	public long lockedByExpression() {
		return accounts().lockedByExpression(new Order(++this.id));
	}

	private Accounts accounts() {
		return Objects.requireNonNull(this.accounts);
	}

	/**
	 * An application with leases and nothing else.
	 *
	 * @since 0.1.0
	 */
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(FencingAutoConfiguration.class)
	static class Application {

		@Bean
		Accounts accounts() {
			return new Accounts();
		}

	}

	/**
	 * The methods that are called.
	 *
	 * @since 0.1.0
	 */
	static class Accounts {

		long bare(long id) {
			return id;
		}

		@FencedLock(name = "account")
		long locked(long id) {
			return id;
		}

		@FencedLock(name = "account", key = "#id")
		long lockedByArgument(long id) {
			return id;
		}

		@FencedLock(name = "account", key = "#order.id")
		long lockedByExpression(Order order) {
			return order.id();
		}

	}

	/**
	 * An argument with the key in it.
	 *
	 * @param id the key
	 * @since 0.1.0
	 */
	public record Order(long id) {
	}

}
