package dev.fencing.interceptor;

import java.util.Map;

import org.junit.jupiter.api.Test;

import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.EnableAspectJAutoProxy;

import dev.fencing.FencedLock;

import static org.assertj.core.api.Assertions.assertThat;

class AutoProxyRegistrarTests {

	@Test
	void classesAreProxiedThoughNobodyElseAsksForProxies() {
		try (AnnotationConfigApplicationContext context = LockingContexts.start(Worker.class)) {
			assertThat(AopUtils.isCglibProxy(context.getBean(Work.class))).isTrue();
			assertLocked(context);
		}
	}

	@Test
	void interfacesAreProxiedOnDemand() {
		try (AnnotationConfigApplicationContext context = LockingContexts
			.start(Map.of("spring.aop.proxy-target-class", "false"), Worker.class)) {
			assertThat(AopUtils.isJdkDynamicProxy(context.getBean(Work.class))).isTrue();
			assertLocked(context);
		}
	}

	@Test
	void proxyCreatorOfAspectsIsUsedWhereThereIsOne() {
		try (AnnotationConfigApplicationContext context = LockingContexts.start(Aspects.class, Worker.class)) {
			assertLocked(context);
		}
	}

	private static void assertLocked(AnnotationConfigApplicationContext context) {
		context.getBean(Work.class).work();
		assertThat(context.getBean(RecordingLockTemplate.class).events()).containsExactly("acquire worker",
				"release worker");
	}

	interface Work {

		void work();

	}

	static class Worker implements Work {

		@Override
		@FencedLock("worker")
		public void work() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAspectJAutoProxy
	static class Aspects {

	}

}
