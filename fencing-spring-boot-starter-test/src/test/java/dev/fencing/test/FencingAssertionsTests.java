package dev.fencing.test;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

import dev.fencing.FencedLockTemplate;
import dev.fencing.LockRequest;
import dev.fencing.lease.LeaseAcquirer;
import dev.fencing.test.app.TestApplication;
import dev.fencing.transaction.Acquisition;

import static dev.fencing.test.FencingAssertions.assertFenced;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@SpringBootTest(classes = TestApplication.class, webEnvironment = WebEnvironment.NONE)
@AutoConfigureFencing
class FencingAssertionsTests {

	@Autowired
	FencedLockTemplate locks;

	@Autowired
	LeaseAcquirer acquirer;

	@Test
	void codeOutsideOfALeaseIsNotFenced() {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(FencingAssertions::assertFenced)
			.withMessageContaining("has none");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertFenced("document", 42))
			.withMessageContaining("'document:42'")
			.withMessageContaining("has none");
	}

	@Test
	void codeUnderALeaseIsFenced() {
		this.locks.executeWithoutResult(LockRequest.of("document").key(42), (context) -> {
			assertThatCode(FencingAssertions::assertFenced).doesNotThrowAnyException();
			assertThatCode(() -> assertFenced("document", 42)).doesNotThrowAnyException();
			assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertFenced("document", 43))
				.withMessageContaining("one on [document:42]");
			assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertFenced("document", null));
		});
	}

	@Test
	void codeUnderALostLeaseIsNotFenced() {
		this.locks.executeWithoutResult(LockRequest.of("document").key(42), (context) -> {
			this.acquirer.lost(((Acquisition) context).owner());
			assertThatExceptionOfType(AssertionError.class).isThrownBy(FencingAssertions::assertFenced)
				.withMessageContaining("is lost");
			assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertFenced("document", 42))
				.withMessageContaining("is lost");
		});
	}

}
