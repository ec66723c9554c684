package dev.fencing.integration;

import java.lang.reflect.Type;
import java.util.concurrent.locks.Lock;

import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.integration.support.locks.LockRegistry;

import dev.fencing.FencedLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Spring Integration 6.5, that of Spring Boot 3.5, has a {@link LockRegistry} without a
 * type parameter, and no {@code DistributedLock}.
 */
class FencedLockRegistrySignatureTests {

	@Test
	void interfacesOfTheRegistryCanBeReadWithoutTheTypeParameter() {
		assertThat(FencedLockRegistry.class.getGenericInterfaces()).containsExactly((Type) LockRegistry.class);
		assertThat(LeasedLock.class.getInterfaces()).containsExactly(Lock.class);
	}

	@Test
	void registryIsInjectedWhereAnyRegistryIs() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			FencedLockRegistry registry = new FencedLockRegistry(mock(FencedLockTemplate.class));
			context.registerBean(FencedLockRegistry.class, () -> registry);
			context.register(OfAnyLock.class, OfLock.class);
			context.refresh();
			assertThat(context.getBean(OfAnyLock.class).locks()).isSameAs(registry);
			assertThat(context.getBean(OfLock.class).locks()).isSameAs(registry);
		}
	}

	record OfAnyLock(LockRegistry<?> locks) {

	}

	record OfLock(LockRegistry<Lock> locks) {

	}

}
