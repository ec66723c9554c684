package dev.fencing.autoconfigure;

import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.fencing.FencedLockTemplate;
import dev.fencing.LockRequest;
import dev.fencing.actuate.FencingEndpoint;
import dev.fencing.actuate.FencingReport;
import dev.fencing.actuate.ResourceReport;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.rejection.RejectionLog;
import dev.fencing.testsupport.Endpoints;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FencingEndpointAutoConfiguration}.
 */
class FencingEndpointAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(FencingEndpointAutoConfiguration.class, FencingAutoConfiguration.class,
				FencingJdbcAutoConfiguration.class, DataSourceAutoConfiguration.class, EndpointAutoConfiguration.class))
		.withPropertyValues("fencing.provider=memory", "fencing.instance-id=host-1",
				"spring.datasource.generate-unique-name=true");

	private final ApplicationContextRunner exposedRunner = this.runner
		.withPropertyValues("management.endpoints.web.exposure.include=fencing");

	@Test
	void showsWhatIsHeldAndRegistered() {
		this.exposedRunner.run((context) -> {
			FencingEndpoint endpoint = context.getBean(FencingEndpoint.class);
			context.getBean(FencedLockTemplate.class).execute(LockRequest.of("document").key(42), (lease) -> {
				String generation = Long.toString(lease.generation());
				FencingReport report = (FencingReport) endpoint.fencing(null, null, null);
				assertThat(report.provider()).isEqualTo("memory");
				assertThat(report.instance()).isEqualTo("host-1");
				assertThat(report.durability()).isEqualTo(new FencingReport.Durability(List.of(), null));
				assertThat(report.leases()).singleElement()
					.satisfies((held) -> assertThat(held.generation()).isEqualTo(generation));
				ResourceReport resource = (ResourceReport) endpoint.fencing("document:42", null, null);
				assertThat(resource.error()).isNull();
				assertThat(resource.holder()).isNotNull()
					.satisfies((holder) -> assertThat(holder.generation()).isEqualTo(generation));
				assertThat(resource.registered()).isNotNull().satisfies((registered) -> {
					assertThat(registered.generation()).isEqualTo(generation);
					assertThat(registered.owner()).isEqualTo(resource.holder().owner());
					assertThat(registered.registeredAt()).isNotNull();
				});
				return null;
			});
			ResourceReport after = (ResourceReport) endpoint.fencing("document:42", null, null);
			assertThat(after.holder()).isNull();
			assertThat(after.registered()).isNotNull();
		});
	}

	@Test
	void worksWithoutRegistration() {
		this.exposedRunner.withPropertyValues("fencing.jdbc.registration=false").run((context) -> {
			ResourceReport report = (ResourceReport) context.getBean(FencingEndpoint.class)
				.fencing("document:42", null, null);
			assertThat(report.registered()).isNull();
			assertThat(report.error()).isNull();
		});
	}

	@Test
	void isThereOnlyIfExposed() {
		this.runner.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(FencingEndpoint.class));
	}

	@Test
	void isNotThereIfAccessIsDenied() {
		this.exposedRunner.withPropertyValues("management.endpoint.fencing.access=NONE")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(FencingEndpoint.class));
	}

	@Test
	void isNotThereWithoutActuator() {
		this.exposedRunner.withClassLoader(new FilteredClassLoader(Endpoint.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("fencingEndpoint"));
	}

	@Test
	void backsOffFromTheEndpointOfTheApplication() {
		this.exposedRunner.withUserConfiguration(OwnEndpoint.class)
			.run((context) -> assertThat(context).hasSingleBean(FencingEndpoint.class).hasBean("own"));
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnEndpoint {

		@Bean
		FencingEndpoint own(LeaseProvider provider, RejectionLog rejections) {
			return Endpoints.of(provider, "own", rejections);
		}

	}

}
