package dev.fencing.paused;

import java.io.IOException;
import java.util.List;

import javax.sql.DataSource;

import jakarta.persistence.EntityManagerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

import dev.fencing.FencingContext;

/**
 * A worker: an ordinary application that does what it is told on its standard input, and
 * ends with that.
 */
@SpringBootApplication(proxyBeanMethods = false)
class WorkerApplication {

	static final String JDBC = "jdbcTransactionManager";

	public static void main(String[] args) throws IOException {
		try (ConfigurableApplicationContext context = SpringApplication.run(WorkerApplication.class, args)) {
			WorkerConsole console = context.getBean(WorkerConsole.class);
			WorkerCommands commands = context.getBean(WorkerCommands.class);
			console.tell("ready " + context.getEnvironment().getProperty("local.server.port"));
			String line = console.readLine();
			while (line != null) {
				commands.run(line);
				line = console.readLine();
			}
		}
	}

	@Bean
	@Primary
	JpaTransactionManager transactionManager(EntityManagerFactory entityManagerFactory) {
		return new JpaTransactionManager(entityManagerFactory);
	}

	@Bean(JDBC)
	JdbcTransactionManager jdbcTransactionManager(DataSource dataSource) {
		return new JdbcTransactionManager(dataSource);
	}

	/**
	 * Comes after all post-processors, so that what it adds is called last.
	 */
	@Bean
	SmartInitializingSingleton pauseAfterGuard(List<ConfigurableTransactionManager> managers, Pauses pauses) {
		TransactionExecutionListener pause = new TransactionExecutionListener() {
			@Override
			public void beforeCommit(TransactionExecution transaction) {
				if (FencingContext.current().isPresent()) {
					pauses.at(PausePoint.AFTER_GUARD);
				}
			}
		};
		return () -> managers.forEach((manager) -> manager.addListener(pause));
	}

}
