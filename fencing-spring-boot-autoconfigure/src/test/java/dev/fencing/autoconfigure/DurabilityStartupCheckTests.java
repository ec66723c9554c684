package dev.fencing.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.StringUtils;

import dev.fencing.lease.DurabilityReport;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.testsupport.DelegatingLeaseProvider;
import dev.fencing.testsupport.RedisTestServer;
import dev.fencing.testsupport.TcpProxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What an application says of its Redis when it starts, and when it does not start.
 */
@Timeout(90)
@ExtendWith(OutputCaptureExtension.class)
class DurabilityStartupCheckTests {

	private static final String DATABASE = "--spring.datasource.generate-unique-name=true";

	private static final String FAIL = "--fencing.redis.durability-check=fail";

	private static final String OFF = "--fencing.redis.durability-check=off";

	private final RedisTestServer redis = RedisTestServer.started("maxmemory 100mb", "maxmemory-policy allkeys-lru");

	@AfterEach
	void stop() {
		this.redis.close();
	}

	@Test
	void warnsInALineForEachSettingAndStarts(CapturedOutput output) {
		start();
		assertThat(output.getAll().lines().filter((line) -> line.contains("DurabilityStartupCheck"))).hasSize(3)
			.anyMatch((line) -> line.contains("never an update"))
			.anyMatch((line) -> line.contains("maxmemory-policy allkeys-lru: ") && line.contains("noeviction"))
			.anyMatch((line) -> line.contains("appendonly no: ") && line.contains("Set appendonly to yes"));
	}

	@Test
	void doesNotStartIfItIsToFail() {
		FailureAnalysis analysis = Startup.failure(Startup.Application.class, arguments(FAIL));
		assertThat(analysis.getDescription()).contains("maxmemory-policy allkeys-lru: ", "appendonly no: ");
		assertThat(analysis.getAction()).contains("fencing.redis.durability-check to warn");
	}

	@Test
	void saysNothingIfItIsOff(CapturedOutput output) {
		start(OFF);
		assertThat(output).doesNotContain("DurabilityStartupCheck");
	}

	@Test
	void redisThatIsAwayIsALineAndNoReasonNotToStart(CapturedOutput output) {
		this.redis.stop();
		start();
		assertThat(output.getAll().lines().filter((line) -> line.contains("DurabilityStartupCheck"))).singleElement()
			.asString()
			.contains("Could not read the settings at Redis 127.0.0.1:" + this.redis.port());
	}

	@Test
	void redisThatIsAwayIsAReasonNotToStartIfItIsToFail() {
		this.redis.stop();
		FailureAnalysis analysis = Startup.failure(Startup.Application.class, arguments(FAIL));
		assertThat(analysis.getDescription())
			.contains("Could not read the settings at Redis 127.0.0.1:" + this.redis.port());
	}

	/**
	 * With the timeouts of Spring Boot and Lettuce: a minute for each request.
	 */
	@Test
	void redisThatDoesNotAnswerHoldsUpTheStartForAMomentOnlyAndTheEndNeither(CapturedOutput output) {
		try (TcpProxy network = TcpProxy.to(this.redis.port())) {
			network.hold(TcpProxy.Direction.REPLIES);
			long start = System.nanoTime();
			Startup.start(Startup.Application.class, defaults(network.port())).close();
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
			assertThat(output).containsOnlyOnce("no answer in time");
		}
	}

	@Test
	void redisThatDoesNotAnswerIsSoonAReasonNotToStartIfItIsToFail() {
		try (TcpProxy network = TcpProxy.to(this.redis.port())) {
			network.hold(TcpProxy.Direction.REPLIES);
			long start = System.nanoTime();
			FailureAnalysis analysis = Startup.failure(Startup.Application.class, defaults(network.port(), FAIL));
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
			assertThat(analysis.getDescription()).contains("no answer in time");
		}
	}

	@Test
	void startDoesNotWaitForTheAnswerAndTheEndDoes(CapturedOutput output) throws InterruptedException {
		ConfigurableApplicationContext context = Startup.start(LateAnswer.class, defaults(this.redis.port()));
		assertThat(output).doesNotContain("DurabilityStartupCheck");
		Thread end = new Thread(context::close);
		end.start();
		await().until(() -> end.getState() == Thread.State.WAITING);
		context.getBean(LateAnswer.class).answer.complete(new DurabilityReport(List.of(), "told late"));
		end.join();
		assertThat(output).contains("told late");
	}

	private void start(String... more) {
		Startup.start(Startup.Application.class, arguments(more)).close();
	}

	private String[] arguments(String... more) {
		return arguments(this.redis.port(), more);
	}

	private static String[] arguments(int port, String... more) {
		return defaults(port, StringUtils.addStringToArray(more, "--spring.data.redis.lettuce.shutdown-timeout=0"));
	}

	private static String[] defaults(int port, String... more) {
		return StringUtils.concatenateStringArrays(
				new String[] { DATABASE, "--spring.data.redis.host=127.0.0.1", "--spring.data.redis.port=" + port },
				more);
	}

	/**
	 * A provider that answers when it is told to.
	 */
	@Configuration(proxyBeanMethods = false)
	static class LateAnswer extends Startup.Application {

		private final CompletableFuture<DurabilityReport> answer = new CompletableFuture<>();

		@Bean
		LeaseProvider lateProvider() {
			return new DelegatingLeaseProvider(new InMemoryLeaseProvider()) {

				@Override
				public DurabilityReport durability(Duration longestWait) {
					return LateAnswer.this.answer.join();
				}

			};
		}

	}

}
