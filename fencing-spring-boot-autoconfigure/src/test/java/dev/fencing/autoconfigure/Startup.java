package dev.fencing.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.context.event.ApplicationFailedEvent;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Starts applications, and says what their user reads when they do not start.
 */
final class Startup {

	/**
	 * The shortest set-up that works, without any server.
	 */
	static final String[] WORKING = { "--spring.datasource.generate-unique-name=true", "--fencing.provider=memory" };

	private Startup() {
	}

	/**
	 * Start an application that starts.
	 * @param source its configuration
	 * @param arguments its properties
	 * @return the application, to be closed by the caller
	 */
	static ConfigurableApplicationContext start(Class<?> source, String... arguments) {
		return application(source).run(arguments);
	}

	/**
	 * Start an application that does not start.
	 * @param source its configuration
	 * @param arguments its properties
	 * @return what Spring Boot shows instead of a stack trace
	 */
	static FailureAnalysis failure(Class<?> source, String... arguments) {
		SpringApplication application = application(source);
		AtomicReference<FailureAnalysis> analysis = new AtomicReference<>();
		application.addListeners((ApplicationListener<ApplicationFailedEvent>) (event) -> analysis
			.set(analyze(event.getException(), event.getApplicationContext())));
		assertThatException().isThrownBy(() -> application.run(arguments).close());
		assertThat(analysis.get()).as("an analysis of the failure").isNotNull();
		return analysis.get();
	}

	private static SpringApplication application(Class<?> source) {
		SpringApplication application = new SpringApplication(source);
		application.setWebApplicationType(WebApplicationType.NONE);
		application.setBannerMode(Banner.Mode.OFF);
		application.setLogStartupInfo(false);
		application.setDefaultProperties(Map.of("logging.level.org.springframework.boot.diagnostics", "off",
				"logging.level.org.springframework.context.annotation", "error"));
		application.setRegisterShutdownHook(false);
		return application;
	}

	private static FailureAnalysis analyze(Throwable failure, ApplicationContext context) {
		ArgumentResolver arguments = ArgumentResolver
			.of(BeanFactory.class, ((ConfigurableApplicationContext) context).getBeanFactory())
			.and(Environment.class, context.getEnvironment());
		List<FailureAnalyzer> analyzers = SpringFactoriesLoader.forDefaultResourceLocation()
			.load(FailureAnalyzer.class, arguments, FailureHandler.handleMessage((message, absentLibrary) -> {
			}));
		return analyzers.stream()
			.map((analyzer) -> analyzer.analyze(failure))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	/**
	 * What an application on JDBC has, without Redis.
	 */
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ AopAutoConfiguration.class, DataSourceAutoConfiguration.class,
			DataSourceTransactionManagerAutoConfiguration.class, TransactionAutoConfiguration.class,
			TransactionManagerCustomizationAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
			FencingAutoConfiguration.class, FencingJdbcAutoConfiguration.class, FencingRedisAutoConfiguration.class })
	static class WithoutRedis {

	}

	/**
	 * What an application on JDBC has, with Redis.
	 */
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(DataRedisAutoConfiguration.class)
	static class Application extends WithoutRedis {

	}

}
