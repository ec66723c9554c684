package dev.fencing.torture;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import com.zaxxer.hikari.HikariDataSource;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import dev.fencing.LockRequest;
import dev.fencing.lease.redis.RedisLeaseProvider;
import dev.fencing.lease.redis.RedisLeaseSettings;
import dev.fencing.testsupport.JavaProcess;
import dev.fencing.testsupport.PostgresTestServer;

/**
 * A worker in a process of its own, which does what it is told on its standard input, and
 * ends with that.
 */
final class TortureProcess implements Stops {

	static final String GO = "go";

	/**
	 * Says that everything that was refused has come to the meters and the endpoint.
	 */
	static final String AGREED = "agreed";

	private final BufferedReader input = new BufferedReader(
			new InputStreamReader(System.in, StandardCharsets.US_ASCII));

	/**
	 * Run a worker.
	 * @param args its name, the ports of the database and of Redis, how long its leases
	 * last in milliseconds, whether the clock floor is on, what protects its work
	 */
	public static void main(String[] args) throws IOException {
		new TortureProcess().run(args[0], DurablePostgres.url(Integer.parseInt(args[1])), Integer.parseInt(args[2]),
				Duration.ofMillis(Long.parseLong(args[3])), Boolean.parseBoolean(args[4]), Protection.valueOf(args[5]));
		// Also when a fault has left something behind that would go on
		System.exit(0);
	}

	private void run(String name, String url, int redisPort, Duration leaseTime, boolean clockFloor,
			Protection protection) throws IOException {
		HikariDataSource pool = PostgresTestServer
			.pool(url + "?ApplicationName=" + name + "&connectTimeout=2&prepareThreshold=0", 4);
		pool.setConnectionTimeout(1000);
		LettuceConnectionFactory connections = new LettuceConnectionFactory("127.0.0.1", redisPort);
		connections.start();
		RedisLeaseProvider provider = new RedisLeaseProvider(connections,
				new RedisLeaseSettings("fencing", clockFloor));
		SteppedLeases leases = new SteppedLeases(provider, this);
		Instance instance = new Instance(pool, leases, protection);
		Owner owner = new Owner(instance,
				LockRequest.of(Operation.LOCK).leaseTime(leaseTime).waitTime(leaseTime.multipliedBy(3)), this);
		QuietLogs.set();
		tell("ready");
		String line = this.input.readLine();
		while (line != null) {
			Outcome outcome = owner.run(Operation.of(line), instance.body());
			instance.rejections().take().forEach((rejection) -> tell("rejected " + RejectionText.of(rejection)));
			tell("done " + outcome + " " + (instance.rejections().agree() ? AGREED : "disagreed"));
			line = this.input.readLine();
		}
	}

	@Override
	public void at(Stop stop) {
		tell("at " + stop);
		try {
			String line = this.input.readLine();
			if (!GO.equals(line)) {
				throw new IllegalStateException("Not to go on, but: " + line);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void tell(String event) {
		System.out.println(JavaProcess.EVENT + event);
	}

}
