package dev.fencing.benchmark.startup;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

import dev.fencing.benchmark.server.BenchServers;

/**
 * An application such as one that would use the starter: a database, Redis, metrics and a
 * few services. It reports what its start has cost, and ends.
 *
 * @since 0.1.0
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ Accounts.class, Balances.class, Visits.class })
public final class StartupApplication {

	private StartupApplication() {
	}

	/**
	 * Start.
	 * @param args the {@link StartupVariant} and the {@link StartupSetting}
	 */
	public static void main(String[] args) {
		List<Class<?>> sources = new ArrayList<>(List.of(StartupApplication.class));
		sources.add((StartupVariant.valueOf(args[0]).lockedBeans() > 0) ? LockedDocuments.class : Documents.class);
		if (StartupSetting.valueOf(args[1]) == StartupSetting.CONNECTED) {
			sources.add(FirstUse.class);
		}
		SpringApplication application = new SpringApplication(sources.toArray(Class<?>[]::new));
		application.setBannerMode(Banner.Mode.OFF);
		application.setDefaultProperties(Map.of("spring.main.web-application-type", "none", "spring.datasource.url",
				BenchServers.postgresUrl(), "spring.datasource.username", "postgres", "spring.datasource.password",
				"postgres", "spring.data.redis.port", BenchServers.redisPort(), "spring.jmx.enabled", true,
				"management.endpoints.jmx.exposure.include", "*"));
		application.addListeners(new StartupReport());
		System.exit(SpringApplication.exit(application.run()));
	}

}
