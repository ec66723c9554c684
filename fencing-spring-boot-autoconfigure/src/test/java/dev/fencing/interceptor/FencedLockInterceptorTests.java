package dev.fencing.interceptor;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskExecutor;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.annotation.Transactional;

import dev.fencing.FencedLock;
import dev.fencing.FencedLockTemplate;
import dev.fencing.LeaseProviderException;
import dev.fencing.LeaseUnavailableException;
import dev.fencing.LockRequest;
import dev.fencing.WhenUnavailable;
import dev.fencing.interceptor.LockingContexts.Transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

class FencedLockInterceptorTests {

	private @Nullable AnnotationConfigApplicationContext context;

	@AfterEach
	void close() {
		if (this.context != null) {
			this.context.close();
		}
	}

	@Test
	void leaseIsTakenBeforeTheTransactionAndReleasedAfterTheCommit() {
		start(Transactions.class, Documents.class).getBean(Documents.class).rename(42, "b");
		assertThat(events()).containsExactly("acquire document:42", "begin", "body b", "commit", "release document:42");
	}

	@Test
	void leaseIsReleasedAfterTheRollback() {
		Documents documents = start(Transactions.class, Documents.class).getBean(Documents.class);
		assertThatIllegalStateException().isThrownBy(() -> documents.fail(42));
		assertThat(events()).containsExactly("acquire document:42", "begin", "rollback", "release document:42");
	}

	@Test
	void annotationsOnTheInterfaceDoTheSameThroughAnInterfaceProxy() {
		start(Map.of("spring.aop.proxy-target-class", "false"), Transactions.class, ShelfOfBooks.class);
		Shelf shelf = context().getBean(Shelf.class);
		assertThat(AopUtils.isJdkDynamicProxy(shelf)).isTrue();
		shelf.put("b");
		assertThat(events()).containsExactly("acquire shelf:b", "begin", "commit", "release shelf:b");
	}

	@Test
	void annotationsOnTheInterfaceDoTheSameThroughAClassProxy() {
		start(Transactions.class, ShelfOfBooks.class).getBean(ShelfOfBooks.class).put("b");
		assertThat(events()).containsExactly("acquire shelf:b", "begin", "commit", "release shelf:b");
	}

	@Test
	void defaultMethodOfAnInterfaceIsLocked() {
		start(ShelfOfBooks.class).getBean(ShelfOfBooks.class).clear();
		assertThat(events()).containsExactly("acquire shelf", "release shelf");
	}

	@Test
	void methodOfAGenericInterfaceIsLockedThroughAnInterfaceProxy() {
		start(Map.of("spring.aop.proxy-target-class", "false"), BookStore.class);
		@SuppressWarnings("unchecked")
		Store<String> store = context().getBean(Store.class);
		assertThat(AopUtils.isJdkDynamicProxy(store)).isTrue();
		store.store("b");
		assertThat(events()).containsExactly("acquire store:b", "release store:b");
	}

	@Test
	void overriddenMethodOfASuperclassIsLocked() {
		start(Invoices.class).getBean(Invoices.class).rename(7, "b");
		assertThat(events()).containsExactly("acquire document:7", "release document:7");
	}

	@Test
	void severalKeysAreLockedAsOne() {
		Transfers transfers = start(Transfers.class).getBean(Transfers.class);
		transfers.between(7, 3);
		transfers.all(new long[] { 2, 1, 2 });
		transfers.each(Set.of("a"));
		assertThat(template().requests()).extracting(LockRequest::resources)
			.containsExactly(List.of("account:3", "account:7"), List.of("account:1", "account:2"),
					List.of("account:a"));
	}

	@Test
	void keysThatAreNoneAreRefusedAndTheMethodDoesNotRun() {
		Transfers transfers = start(Transfers.class).getBean(Transfers.class);
		assertThatIllegalArgumentException().isThrownBy(() -> transfers.each(Set.of()))
			.withMessageContaining("Transfers.each")
			.withMessageContaining("empty");
		assertThatIllegalArgumentException().isThrownBy(() -> transfers.each(null)).withMessageContaining("null");
		assertThatIllegalArgumentException().isThrownBy(() -> transfers.each("a,b"))
			.withMessageContaining("neither a collection nor an array");
		assertThatIllegalArgumentException().isThrownBy(() -> transfers.all(new long[0]))
			.withMessageContaining("empty");
		assertThat(events()).isEmpty();
	}

	@Test
	void methodWithoutTheAnnotationIsNotLocked() {
		start(Documents.class).getBean(Documents.class).read();
		assertThat(events()).isEmpty();
	}

	@Test
	void callWithinTheSameObjectIsNotLocked() {
		start(Documents.class).getBean(Documents.class).renameFromWithin(42, "b");
		assertThat(events()).containsExactly("body b");
	}

	@Test
	void requestCarriesWhatTheAnnotationSays() {
		start(Map.of("hold", "PT2M"), Documents.class).getBean(Documents.class).archive(42);
		assertThat(template().lastRequest()).isEqualTo(LockRequest.of("archive")
			.key(42)
			.leaseTime(Duration.ofSeconds(10))
			.waitTime(Duration.ofMillis(500))
			.maxHold(Duration.ofMinutes(2)));
	}

	@Test
	void requestLeavesToTheTemplateWhatTheAnnotationDoesNotSay() {
		start(Documents.class).getBean(Documents.class).rename(42, "b");
		LockRequest request = template().lastRequest();
		assertThat(request.leaseTime()).isNull();
		assertThat(request.waitTime()).isNull();
		assertThat(request.maxHold()).isNull();
	}

	@Test
	void keyMayComeFromWhateverACallHas() {
		Keys keys = start(Keys.class).getBean(Keys.class);
		keys.byPosition("a");
		keys.byOtherPosition("b");
		keys.fromTarget();
		keys.fromMethod();
		keys.fromArguments("c");
		keys.fromBean("d");
		keys.fromRecord(new Address("e"));
		assertThat(events()).filteredOn((event) -> event.startsWith("acquire"))
			.containsExactly("acquire k:a", "acquire k:b", "acquire k:north", "acquire k:fromMethod", "acquire k:c",
					"acquire k:north-d", "acquire k:e");
	}

	@Test
	void nullKeyIsRefusedAndTheMethodDoesNotRun() {
		Keys keys = start(Keys.class).getBean(Keys.class);
		assertThatIllegalArgumentException().isThrownBy(() -> keys.byPosition(null))
			.withMessageContaining("Keys.byPosition(String)")
			.withMessageContaining("#a0")
			.withMessageContaining("is null");
		assertThat(events()).isEmpty();
	}

	@Test
	void blankKeyIsRefused() {
		Keys keys = start(Keys.class).getBean(Keys.class);
		assertThatIllegalArgumentException().isThrownBy(() -> keys.byPosition(" ")).withMessageContaining("blank");
		assertThat(events()).isEmpty();
	}

	@Test
	void keyThatCannotBeEvaluatedIsRefused() {
		Keys keys = start(Keys.class).getBean(Keys.class);
		assertThatIllegalArgumentException().isThrownBy(() -> keys.fromRecord(null))
			.withMessageContaining("Keys.fromRecord(Address)")
			.withMessageContaining("#address.street");
		assertThat(events()).isEmpty();
	}

	@Test
	void checkedExceptionPassesUntouched() {
		Documents documents = start(Documents.class).getBean(Documents.class);
		IOException exception = new IOException("disk");
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> documents.fail(exception)).isSameAs(exception);
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> documents.failUnlessSkipped(exception))
			.isSameAs(exception);
	}

	@Test
	void resultOfTheMethodIsReturned() {
		Documents documents = start(Documents.class).getBean(Documents.class);
		assertThat(documents.count()).isEqualTo(3);
		assertThat(documents.title(null)).isNull();
	}

	@Test
	void methodThatIsNotToBeSkippedThrowsWhenTheLeaseIsUnavailable() {
		Documents documents = start(Documents.class).getBean(Documents.class);
		template().beUnavailable();
		assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(documents::count);
		assertThat(events()).isEmpty();
	}

	@Test
	void skippedMethodReturnsNothing() throws IOException {
		Documents documents = start(Documents.class).getBean(Documents.class);
		template().beUnavailable();
		documents.failUnlessSkipped(new IOException("not skipped"));
		assertThat(documents.findTitle(Optional.of("a"))).isEmpty();
	}

	@Test
	void methodThatMayBeSkippedReturnsItsOwnOptional() {
		Documents documents = start(Documents.class).getBean(Documents.class);
		Optional<String> title = Optional.of("a");
		assertThat(documents.findTitle(title)).isSameAs(title);
		assertThat(documents.findTitle(Optional.empty())).isEmpty();
		assertThat(documents.findTitle(null)).isNull();
	}

	@Test
	void failureOfTheProviderIsNeverSkipped() {
		Documents documents = start(Documents.class).getBean(Documents.class);
		LeaseProviderException failure = new LeaseProviderException("gone", null);
		template().failWith(failure);
		assertThatExceptionOfType(LeaseProviderException.class).isThrownBy(() -> documents.findTitle(Optional.of("a")))
			.isSameAs(failure);
	}

	@Test
	void everyAttemptOfARetryTakesALeaseOfItsOwn() {
		start(Transactions.class, Retries.class, Documents.class).getBean(Documents.class).renameAtSecondAttempt(42);
		assertThat(events()).containsExactly("acquire document:42", "begin", "rollback", "release document:42",
				"acquire document:42", "begin", "commit", "release document:42");
	}

	@Test
	void asynchronousMethodIsLockedOnTheThreadThatRunsIt() throws InterruptedException {
		start(Transactions.class, Asynchronous.class, AsyncDocuments.class).getBean(AsyncDocuments.class).rename(42);
		Gate gate = context().getBean(Gate.class);
		assertThat(gate.entered().await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(events()).containsExactly("acquire document:42", "begin");
		gate.opened().countDown();
		await().untilAsserted(() -> assertThat(events()).containsExactly("acquire document:42", "begin", "commit",
				"release document:42"));
	}

	@Test
	void templateIsNotCreatedBeforeTheFirstCall() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.register(LockingContexts.Locking.class, LazyTemplate.class, BookStore.class);
			context.refresh();
			assertThat(context.getBeanFactory().containsSingleton("lockTemplate")).isFalse();
			context.getBean(BookStore.class).store("b");
			assertThat(context.getBean(RecordingLockTemplate.class).events()).hasSize(2);
		}
	}

	@Test
	void interceptorUsedByHandLeavesOtherMethodsAlone() {
		RecordingLockTemplate template = new RecordingLockTemplate();
		StaticListableBeanFactory beanFactory = new StaticListableBeanFactory(Map.of("template", template));
		ObjectProvider<FencedLockTemplate> provider = beanFactory.getBeanProvider(FencedLockTemplate.class);
		MethodInterceptor interceptor = new FencedLockInterceptor(new FencedLockOperationSource(new MockEnvironment()),
				provider, beanFactory);
		ProxyFactory factory = new ProxyFactory(new Documents(template));
		factory.setProxyTargetClass(true);
		factory.addAdvice(interceptor);
		Documents documents = (Documents) factory.getProxy();
		documents.read();
		assertThat(template.events()).isEmpty();
		documents.count();
		assertThat(template.events()).hasSize(2);
	}

	private AnnotationConfigApplicationContext start(Class<?>... components) {
		return start(Map.of(), components);
	}

	private AnnotationConfigApplicationContext start(Map<String, Object> properties, Class<?>... components) {
		this.context = LockingContexts.start(properties, components);
		return this.context;
	}

	private AnnotationConfigApplicationContext context() {
		assertThat(this.context).isNotNull();
		return this.context;
	}

	private RecordingLockTemplate template() {
		return context().getBean(RecordingLockTemplate.class);
	}

	private List<String> events() {
		return template().events();
	}

	static class Documents {

		private final RecordingLockTemplate template;

		private int attempts;

		Documents(RecordingLockTemplate template) {
			this.template = template;
		}

		@FencedLock(name = "document", key = "#id")
		@Transactional
		public void rename(long id, String title) {
			this.template.events().add("body " + title);
		}

		public void renameFromWithin(long id, String title) {
			rename(id, title);
		}

		@FencedLock(name = "document", key = "#id")
		@Transactional
		public void fail(long id) {
			throw new IllegalStateException("wrong " + id);
		}

		@FencedLock("document")
		public void fail(Exception exception) throws Exception {
			throw exception;
		}

		@FencedLock(name = "document", whenUnavailable = WhenUnavailable.SKIP)
		public void failUnlessSkipped(IOException exception) throws IOException {
			throw exception;
		}

		@FencedLock(name = "document", whenUnavailable = WhenUnavailable.SKIP)
		public @Nullable Optional<String> findTitle(@Nullable Optional<String> title) {
			return title;
		}

		@FencedLock("document")
		public @Nullable String title(@Nullable String title) {
			return title;
		}

		@FencedLock("document")
		public int count() {
			return 3;
		}

		@FencedLock(name = "archive", key = "#id", leaseTime = "10s", waitTime = "500ms", maxHold = "${hold:PT1M}")
		public void archive(long id) {
		}

		@FencedLock(name = "document", key = "#id")
		@Transactional
		@Retryable(delay = 0)
		public void renameAtSecondAttempt(long id) {
			if (++this.attempts < 2) {
				throw new IllegalStateException("wrong " + id);
			}
		}

		public void read() {
		}

	}

	static class Invoices extends Documents {

		Invoices(RecordingLockTemplate template) {
			super(template);
		}

		@Override
		public void rename(long id, String title) {
		}

	}

	interface Shelf {

		@FencedLock(name = "shelf", key = "#book")
		@Transactional
		void put(String book);

		@FencedLock("shelf")
		default void clear() {
		}

	}

	static class ShelfOfBooks implements Shelf {

		@Override
		public void put(String other) {
		}

	}

	interface Store<T> {

		@FencedLock(name = "store", key = "#item")
		void store(T item);

	}

	static class BookStore implements Store<String> {

		@Override
		public void store(String book) {
		}

	}

	record Address(String street) {
	}

	static class Keys {

		public String getRegion() {
			return "north";
		}

		@FencedLock(name = "k", key = "#a0")
		public void byPosition(@Nullable String id) {
		}

		@FencedLock(name = "k", key = "#p0")
		public void byOtherPosition(String id) {
		}

		@FencedLock(name = "k", key = "#root.target.region")
		public void fromTarget() {
		}

		@FencedLock(name = "k", key = "#root.method.name")
		public void fromMethod() {
		}

		@FencedLock(name = "k", key = "args[0]")
		public void fromArguments(String id) {
		}

		@FencedLock(name = "k", key = "@region.concat('-').concat(#id)")
		public void fromBean(String id) {
		}

		@FencedLock(name = "k", key = "#address.street")
		public void fromRecord(@Nullable Address address) {
		}

		@Bean
		static String region() {
			return "north";
		}

	}

	record Gate(CountDownLatch entered, CountDownLatch opened) {
	}

	static class AsyncDocuments {

		private final Gate gate;

		AsyncDocuments(Gate gate) {
			this.gate = gate;
		}

		@Async
		@FencedLock(name = "document", key = "#id")
		@Transactional
		public void rename(long id) throws InterruptedException {
			this.gate.entered().countDown();
			assertThat(this.gate.opened().await(10, TimeUnit.SECONDS)).isTrue();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableResilientMethods
	static class Retries {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class Asynchronous {

		@Bean
		TaskExecutor taskExecutor() {
			return new SimpleAsyncTaskExecutor();
		}

		@Bean
		Gate gate() {
			return new Gate(new CountDownLatch(1), new CountDownLatch(1));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyTemplate {

		@Bean
		@Lazy
		RecordingLockTemplate lockTemplate() {
			return new RecordingLockTemplate();
		}

	}

	static class Transfers {

		@FencedLock(name = "account", keys = "{#from, #to}")
		public void between(long from, long to) {
		}

		@FencedLock(name = "account", keys = "#ids")
		public void all(long[] ids) {
		}

		@FencedLock(name = "account", keys = "#ids")
		public void each(@Nullable Object ids) {
		}

	}

}
