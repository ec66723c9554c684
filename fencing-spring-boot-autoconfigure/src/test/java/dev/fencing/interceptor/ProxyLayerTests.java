package dev.fencing.interceptor;

import java.lang.reflect.Method;

import net.bytebuddy.ByteBuddy;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.ProxyFactory;

import static org.assertj.core.api.Assertions.assertThat;

class ProxyLayerTests {

	private final Method method = FencedLockOperationSourceTests.method(Worker.class, "work");

	@Test
	void methodOfThePackageIsReachedThroughASubclassOfTheSameClassLoader() {
		assertThat(layer(subclass(ClassLoadingStrategy.Default.INJECTION)).entryTo(this.method)).isEqualTo(this.method);
	}

	@Test
	void methodOfThePackageIsNotReachedThroughASubclassOfAnotherClassLoader() {
		assertThat(layer(subclass(ClassLoadingStrategy.Default.WRAPPER)).entryTo(this.method)).isNull();
	}

	private static ProxyLayer layer(Class<? extends Worker> type) {
		try {
			Worker proxy = type.getDeclaredConstructor().newInstance();
			return new ProxyLayer(proxy, new ProxyFactory(proxy), Worker.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Class<? extends Worker> subclass(ClassLoadingStrategy<ClassLoader> strategy) {
		return new ByteBuddy().subclass(Worker.class)
			.name(Worker.class.getName() + "Proxy" + strategy.hashCode())
			.make()
			.load(Worker.class.getClassLoader(), strategy)
			.getLoaded();
	}

	public static class Worker {

		void work() {
		}

	}

}
