package dev.fencing;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LockRequestTests {

	@ParameterizedTest
	@MethodSource
	void simpleValueIsTheKeyByItsText(Object key, String text) {
		assertThat(LockRequest.of("document").key(key).resource()).isEqualTo("document:" + text);
	}

	static Stream<Arguments> simpleValueIsTheKeyByItsText() {
		return Stream.of(Arguments.of(42, "42"), Arguments.of(42L, "42"), Arguments.of("a b", "a b"),
				Arguments.of('c', "c"), Arguments.of(true, "true"), Arguments.of(BigInteger.TEN, "10"),
				Arguments.of(new BigDecimal("100.00"), "100"), Arguments.of(new BigDecimal("1E+2"), "100"),
				Arguments.of(DayOfWeek.MONDAY, "MONDAY"), Arguments.of(LocalDate.of(2026, 11, 30), "2026-11-30"),
				Arguments.of(new UUID(0, 1), "00000000-0000-0000-0000-000000000001"));
	}

	@ParameterizedTest
	@MethodSource
	void keyWithoutATextThatIsTheSameEverywhereIsRefused(@Nullable Object key) {
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of("document").key(key))
			.withMessageContaining("document");
	}

	static List<@Nullable Object> keyWithoutATextThatIsTheSameEverywhereIsRefused() {
		return Arrays.asList(null, "", "  ", new Object(), new Date(0), new java.sql.Timestamp(0),
				InetAddress.getLoopbackAddress(), List.of(1), new int[] { 1 }, Optional.of(1), new AtomicLong(1),
				"x".repeat(LockRequest.MAX_RESOURCE_LENGTH));
	}

	@Test
	void severalKeysAreTakenInOrderAndOnce() {
		LockRequest request = LockRequest.of("document").keys(Arrays.asList("b", 10, "a", 9, "b", 9L));
		assertThat(request.resources()).containsExactly("document:10", "document:9", "document:a", "document:b");
		assertThat(request.resource()).isEqualTo("document:10");
		assertThat(request).isEqualTo(LockRequest.of("document").keys(List.of("a", "b", 9, 10)))
			.hasToString("LockRequest[document:10, document:9, document:a, document:b]");
	}

	@ParameterizedTest
	@MethodSource
	void keysThatLockNothingOrTooMuchAreRefused(@Nullable List<@Nullable Object> keys) {
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of("document").keys(keys))
			.withMessageContaining("document");
	}

	static Stream<Arguments> keysThatLockNothingOrTooMuchAreRefused() {
		return Stream.of(Arguments.of((Object) null), Arguments.of(List.of()), Arguments.of(Arrays.asList(1, null)),
				Arguments.of(List.of(1, List.of(2))), Arguments.of(List.of(1, " ")),
				Arguments.of(IntStream.rangeClosed(0, LockRequest.MAX_KEYS).boxed().toList()));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "a:b" })
	void nameThatCannotBeOneIsRefused(String name) {
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of(name));
	}

	@Test
	void timesThatMakeNoSenseAreRefused() {
		LockRequest request = LockRequest.of("document");
		assertThatIllegalArgumentException().isThrownBy(() -> request.leaseTime(Duration.ofMillis(9)));
		assertThatIllegalArgumentException().isThrownBy(() -> request.waitTime(Duration.ofMillis(-1)));
		assertThatIllegalArgumentException().isThrownBy(() -> request.leaseTime(Duration.ofDays(366)));
		assertThatIllegalArgumentException().isThrownBy(() -> request.minHold(Duration.ofMillis(-1)));
		assertThatIllegalArgumentException().isThrownBy(() -> request.minHold(Duration.ofDays(366)));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> request.minHold(Duration.ofSeconds(2)).maxHold(Duration.ofSeconds(1)))
			.withMessageContaining("longer than the longest");
		assertThatIllegalArgumentException().isThrownBy(() -> request.maxHold(Duration.ZERO));
	}

	@Test
	void eachMethodReturnsARequestOfItsOwn() {
		LockRequest request = LockRequest.of("document");
		LockRequest changed = request.key(1).leaseTime(Duration.ofSeconds(1)).waitTime(Duration.ZERO);
		assertThat(request).isEqualTo(LockRequest.of("document")).isNotEqualTo(changed);
		assertThat(request.resource()).isEqualTo("document");
		assertThat(changed.leaseTime()).isEqualTo(Duration.ofSeconds(1));
		assertThat(changed.waitTime()).isEqualTo(Duration.ZERO);
		assertThat(changed.maxHold()).isNull();
	}

}
