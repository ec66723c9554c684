package dev.fencing.test;

import java.io.IOException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.fencing.FencedLease;
import dev.fencing.FencingContext;
import dev.fencing.FencingTokens;
import dev.fencing.LockRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class UnlockedTemplateTests {

	private static final LockRequest REQUEST = LockRequest.of("document").key(42);

	private final UnlockedTemplate template = new UnlockedTemplate();

	@AfterEach
	void nothingStaysBound() {
		assertThat(FencingContext.current()).isEmpty();
	}

	@Test
	void codeRunsAndFindsItsContext() {
		String result = this.template.execute(REQUEST, (context) -> {
			assertThat(FencingContext.require("document", 42)).isSameAs(context);
			FencingAssertions.assertFenced();
			assertThat(context.nextToken()).isEqualTo(FencingTokens.of(1, 1));
			return "done";
		});
		assertThat(result).isEqualTo("done");
		this.template.executeWithoutResult(REQUEST, (context) -> assertThat(context.generation()).isEqualTo(2));
	}

	@Test
	void codeThatFailsLeavesNothingBound() {
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.template.execute(REQUEST, (context) -> {
			throw new IOException("Disk");
		}));
	}

	@Test
	void nothingIsEverSkipped() {
		assertThat(this.template.tryExecute(REQUEST, FencingContext::name)).contains("document");
		assertThat(this.template.<String, RuntimeException>execute(REQUEST, (context) -> null)).isNull();
		assertThatIllegalStateException()
			.isThrownBy(() -> this.template.<String, RuntimeException>tryExecute(REQUEST, (context) -> null));
	}

	@Test
	void leaseIsBoundUntilItIsClosed() {
		try (FencedLease lease = this.template.open(REQUEST).orElseThrow()) {
			assertThat(FencingContext.current()).containsSame(lease.context());
		}
	}

}
