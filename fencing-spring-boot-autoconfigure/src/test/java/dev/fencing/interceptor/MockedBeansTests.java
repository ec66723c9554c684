package dev.fencing.interceptor;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import dev.fencing.FencedLock;
import dev.fencing.interceptor.LockingContexts.Locking;
import dev.fencing.interceptor.LockingContexts.Template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.verify;

/**
 * What tests of applications put in the place of their beans.
 */
class MockedBeansTests {

	@Nested
	@SpringJUnitConfig({ Locking.class, Template.class, Worker.class })
	class WithMock {

		@MockitoBean
		Worker worker;

		@Test
		void mockIsNotLocked(@Autowired RecordingLockTemplate template) {
			this.worker.work();
			verify(this.worker).work();
			assertThat(template.events()).isEmpty();
		}

	}

	@Nested
	@SpringJUnitConfig({ Locking.class, Template.class, Worker.class })
	class WithSpy {

		@MockitoSpyBean
		Worker worker;

		@Test
		void spyIsLocked(@Autowired Worker proxy, @Autowired RecordingLockTemplate template) {
			proxy.work();
			verify(this.worker).work();
			assertThat(template.events()).containsExactly("acquire worker", "release worker");
		}

	}

	@Nested
	@SpringJUnitConfig({ Locking.class, Template.class, Worker.class, Friend.class })
	class WithSpyInACircle {

		@MockitoSpyBean
		Worker worker;

		@Test
		void spyIsLocked(@Autowired Friend friend, @Autowired RecordingLockTemplate template) {
			friend.letWork();
			verify(this.worker).work();
			assertThat(template.events()).containsExactly("acquire worker", "release worker");
		}

	}

	static class Friend {

		@Autowired
		@Nullable Worker worker;

		void letWork() {
			assertThat(this.worker).isNotNull();
			this.worker.work();
		}

	}

	static class Worker {

		@Autowired(required = false)
		@Nullable Friend friend;

		@FencedLock("worker")
		public void work() {
		}

	}

}
