package dev.fencing.interceptor;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.framework.autoproxy.TargetSourceCreator;
import org.springframework.aop.framework.autoproxy.target.LazyInitTargetSourceCreator;
import org.springframework.aop.target.LazyInitTargetSource;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.core.Ordered;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.DefaultTransactionAttribute;
import org.springframework.transaction.interceptor.TransactionInterceptor;

import dev.fencing.FencedLock;
import dev.fencing.FencingListener;
import dev.fencing.WhenUnavailable;
import dev.fencing.interceptor.LockingContexts.Locking;
import dev.fencing.interceptor.LockingContexts.LockingBeans;
import dev.fencing.interceptor.LockingContexts.Template;
import dev.fencing.interceptor.LockingContexts.Transactions;
import dev.fencing.interceptor.elsewhere.PackagePrivateBase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

class FencedLockBeanVerifierTests {

	private static final Map<String, Object> INTERFACE_PROXIES = Map.of("spring.aop.proxy-target-class", "false");

	@Test
	void failureNamesBeanMethodReasonAndAction() {
		InvalidFencedLockException failure = LockingContexts.failureOf(PrivateMethod.class);
		assertThat(failure.getBeanName()).endsWith("PrivateMethod");
		assertThat(failure.getMethod().getName()).isEqualTo("work");
		assertThat(failure.getReason()).isEqualTo("the method is private, so no proxy can intercept it");
		assertThat(failure.getAction()).startsWith("Make it public");
		assertThat(failure).hasMessageContaining("PrivateMethod.work() of bean '")
			.hasMessageContaining(failure.getReason())
			.hasMessageContaining(failure.getAction());
	}

	@ParameterizedTest
	@ValueSource(classes = { PrivateMethod.class, InheritsPrivateMethod.class })
	void privateMethodStopsTheStart(Class<?> type) {
		assertThat(LockingContexts.failureOf(type)).hasMessageContaining("the method is private");
	}

	@Test
	void staticMethodStopsTheStart() {
		assertThat(LockingContexts.failureOf(StaticMethod.class)).hasMessageContaining("the method is static");
	}

	@Test
	void finalMethodStopsTheStart() {
		assertThat(LockingContexts.failureOf(FinalMethod.class)).hasMessageContaining("the method is final");
	}

	@Test
	void finalMethodOfAnInterfaceIsLockedThroughAnInterfaceProxy() {
		try (AnnotationConfigApplicationContext context = LockingContexts.start(INTERFACE_PROXIES, FinalMethod.class)) {
			context.getBean(Work.class).work();
			assertLocked(context, "final");
		}
	}

	@Test
	void finalClassStopsTheStart() {
		assertThat(LockingContexts.failureOf(FinalClass.class)).hasMessageContaining("its class is final");
	}

	@Test
	void finalClassIsLockedThroughAnInterfaceProxy() {
		try (AnnotationConfigApplicationContext context = LockingContexts.start(INTERFACE_PROXIES,
				FinalClassWithInterface.class)) {
			context.getBean(Work.class).work();
			assertLocked(context, "final");
		}
	}

	@Test
	void methodThatIsNotOnTheInterfacesOfAnInterfaceProxyStopsTheStart() {
		Throwable thrown = catchThrowable(() -> LockingContexts.start(INTERFACE_PROXIES, NotOnInterface.class).close());
		assertThat(LockingContexts.invalidLockIn(thrown)).hasMessageContaining("NotOnInterface.workMore()")
			.hasMessageContaining("proxied by its interfaces (" + Work.class.getName() + ")")
			.hasMessageContaining("spring.aop.proxy-target-class=true");
	}

	@Test
	void packagePrivateMethodIsLockedThroughAClassProxy() {
		try (AnnotationConfigApplicationContext context = LockingContexts.start(PackagePrivateMethod.class)) {
			context.getBean(PackagePrivateMethod.class).work();
			assertLocked(context, "visible");
		}
	}

	@Test
	void packagePrivateMethodOfAnotherPackageStopsTheStart() {
		assertThat(LockingContexts.failureOf(SubclassFromElsewhere.class))
			.hasMessageContaining("PackagePrivateBase.work()")
			.hasMessageContaining("not visible to the class that proxies the bean");
	}

	@Test
	void packagePrivateMethodIsLockedUnderAnotherClassLoaderOfTheContext() throws Exception {
		try (URLClassLoader classLoader = new URLClassLoader(new URL[0], getClass().getClassLoader());
				AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.setClassLoader(classLoader);
			context.register(Locking.class, Template.class, PackagePrivateMethod.class);
			context.refresh();
			context.getBean(PackagePrivateMethod.class).work();
			assertLocked(context, "visible");
		}
	}

	@Test
	void methodThatReturnsAFutureStopsTheStart() {
		assertThat(LockingContexts.failureOf(FutureResult.class)).hasMessageContaining("FutureResult.work()")
			.hasMessageContaining("java.util.concurrent.CompletableFuture");
	}

	@Test
	void unknownParameterStopsTheStart() {
		assertThat(LockingContexts.failureOf(UnknownParameter.class)).hasMessageContaining("uses #idd")
			.hasMessageContaining("#id, #a0, #p0, #root");
	}

	@Test
	void invalidNameStopsTheStart() {
		assertThat(LockingContexts.failureOf(InvalidName.class)).hasMessageContaining("'a:b' holds a ':'");
	}

	@Test
	void invalidDurationStopsTheStart() {
		assertThat(LockingContexts.failureOf(InvalidDuration.class)).hasMessageContaining("waitTime 'soon'");
	}

	@Test
	void methodThatCannotBeSkippedStopsTheStart() {
		assertThat(LockingContexts.failureOf(SkippedNumber.class))
			.hasMessageContaining("a result of type int cannot say");
	}

	@Test
	void beanCreatedBeforeTheProxyCreatorStopsTheStart() {
		InvalidFencedLockException failure = LockingContexts.failureOf(EarlyConsumer.class, Worker.class);
		assertThat(failure.getBeanName()).endsWith("Worker");
		assertThat(failure.getReason()).startsWith("the bean was created before Spring could proxy it");
	}

	@Test
	void productOfAFactoryBeanCreatedBeforeTheProxyCreatorStopsTheStart() {
		assertThat(LockingContexts.failureOf(EarlyConsumer.class, WorkerFactoryBean.class))
			.hasMessageContaining("the bean was created before Spring could proxy it");
	}

	@Test
	void productOfAFactoryBeanIsLocked() {
		try (AnnotationConfigApplicationContext context = LockingContexts.start(WorkerFactoryBean.class)) {
			context.getBean(Worker.class).work();
			assertLocked(context, "worker");
		}
	}

	@Test
	void readyMadeSingletonStopsTheStart() {
		try (AnnotationConfigApplicationContext context = unstarted()) {
			context.getBeanFactory().registerSingleton("worker", new Worker());
			InvalidFencedLockException failure = LockingContexts.invalidLockIn(catchThrowable(context::refresh));
			assertThat(failure.getBeanName()).isEqualTo("worker");
			assertThat(failure).hasMessageContaining("registered as a ready-made object");
		}
	}

	@Test
	void mockInThePlaceOfABeanDoesNotStopTheStart() {
		try (AnnotationConfigApplicationContext context = unstarted()) {
			context.getBeanFactory().registerSingleton("worker", Mockito.mock(Worker.class));
			context.refresh();
			context.getBean(Worker.class).work();
			assertThat(context.getBean(RecordingLockTemplate.class).events()).isEmpty();
		}
	}

	@Test
	void spyInThePlaceOfABeanStopsTheStart() {
		try (AnnotationConfigApplicationContext context = unstarted()) {
			context.getBeanFactory().registerSingleton("worker", Mockito.spy(new Worker()));
			assertThat(LockingContexts.invalidLockIn(catchThrowable(context::refresh)).getBeanName())
				.isEqualTo("worker");
		}
	}

	@Test
	void lazyBeanFailsWhenItIsCreated() {
		try (AnnotationConfigApplicationContext context = LockingContexts.start(LazyFinalMethod.class)) {
			assertThatExceptionOfType(BeanCreationException.class)
				.isThrownBy(() -> context.getBean(LazyFinalMethod.class))
				.satisfies((ex) -> assertThat(LockingContexts.invalidLockIn(ex))
					.hasMessageContaining("the method is final"));
		}
	}

	@Test
	void prototypeFailsWhenItIsCreated() {
		try (AnnotationConfigApplicationContext context = LockingContexts.start(PrototypeWithFinalMethod.class)) {
			assertThat(LockingContexts
				.invalidLockIn(catchThrowable(() -> context.getBean(PrototypeWithFinalMethod.class))))
				.hasMessageContaining("the method is final");
		}
	}

	@Test
	void nothingLazyIsCreatedByTheCheck() {
		try (AnnotationConfigApplicationContext context = LockingContexts.start(LazyBeans.class)) {
			assertThat(context.getBeanFactory().containsSingleton("lazyWorker")).isFalse();
			WorkerFactoryBean factoryBean = context.getBean("&lazyFactory", WorkerFactoryBean.class);
			context.getBean(FencedLockBeanVerifier.class).afterSingletonsInstantiated();
			assertThat(factoryBean.created).isFalse();
		}
	}

	@Test
	void beansThatReferToEachOtherAreLocked() {
		try (AnnotationConfigApplicationContext context = LockingContexts.start(First.class, Second.class)) {
			context.getBean(Second.class).workOfFirst();
			assertLocked(context, "first");
		}
	}

	@Test
	void beansThatReferToEachOtherAreChecked() {
		assertThat(LockingContexts.failureOf(FirstWithFinalMethod.class, SecondOfFinal.class).getBeanName())
			.endsWith("FirstWithFinalMethod");
	}

	@Test
	void beanWithoutAProxyCreatorStopsTheStart() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.register(WithoutAutoProxy.class, Template.class, Worker.class);
			assertThat(LockingContexts.invalidLockIn(catchThrowable(context::refresh)))
				.hasMessageContaining("no proxy around the bean applies the lock");
		}
	}

	@Test
	void advisorWithoutTheRoleOfInfrastructureStopsTheStart() {
		try (AnnotationConfigApplicationContext context = unstarted()) {
			context.register(Worker.class);
			context.addBeanFactoryPostProcessor(
					(beanFactory) -> beanFactory.getBeanDefinition("fencedLockAdvisor").setRole(0));
			assertThat(LockingContexts.invalidLockIn(catchThrowable(context::refresh)))
				.hasMessageContaining("ROLE_INFRASTRUCTURE");
		}
	}

	@Test
	void scopedBeanIsLocked() {
		try (AnnotationConfigApplicationContext context = LockingContexts.start(Scopes.class, ScopedWorker.class)) {
			context.getBean(ScopedWorker.class).work();
			assertLocked(context, "scoped");
		}
	}

	@Test
	void beanBehindATargetSourceOfItsOwnIsLocked() {
		try (AnnotationConfigApplicationContext context = unstarted()) {
			context.register(LazyTargets.class, LazyWorker.class);
			context.refresh();
			LazyWorker worker = context.getBean(LazyWorker.class);
			assertThat(((Advised) worker).getTargetSource()).isInstanceOf(LazyInitTargetSource.class);
			worker.work();
			assertLocked(context, "worker");
		}
	}

	@Test
	void beanThatIsProxiedTwiceIsLocked() {
		try (AnnotationConfigApplicationContext context = LockingContexts.start(SecondProxyCreator.class,
				Transactions.class, TransactionalWorker.class)) {
			context.getBean(TransactionalWorker.class).work();
			assertThat(context.getBean(RecordingLockTemplate.class).events()).containsExactly("acquire worker", "begin",
					"acquire worker", "begin", "commit", "release worker", "commit", "release worker");
		}
	}

	@Test
	void repositoryThatBringsItsOwnTransactionsIsLockedOutsideOfThem() {
		try (AnnotationConfigApplicationContext context = LockingContexts.start(Transactions.class,
				RepositoryFactoryBean.class)) {
			context.getBean(Repository.class).save("a");
			context.getBean(Repository.class).find("b");
			assertThat(context.getBean(RecordingLockTemplate.class).events()).containsExactly("acquire repository:a",
					"begin", "commit", "release repository:a", "acquire repository:b", "begin", "commit",
					"release repository:b");
		}
	}

	@Test
	void repositoryCreatedBeforeTheProxyCreatorStopsTheStart() {
		assertThat(LockingContexts.failureOf(EarlyRepositoryConsumer.class, Transactions.class,
				RepositoryFactoryBean.class))
			.hasMessageContaining("Repository.")
			.hasMessageContaining("the bean was created before Spring could proxy it");
	}

	@Test
	void wrapperThatHidesTheLockStopsTheStart() {
		assertThat(LockingContexts.failureOf(WrappingPostProcessor.class, Functions.class))
			.hasMessageContaining("no proxy around the bean applies the lock");
	}

	@Test
	void functionIsLockedByTheAnnotationOnItsInterface() {
		try (AnnotationConfigApplicationContext context = LockingContexts.start(Functions.class)) {
			context.getBean(LockedWork.class).work();
			assertLocked(context, "function");
		}
	}

	@Test
	void listenersHearOfAllLocksAtTheEndOfTheStartAndOfOthersLater() {
		try (AnnotationConfigApplicationContext context = LockingContexts.start(Listeners.class, Worker.class,
				LazyWorkers.class)) {
			KnownLocksListener listener = context.getBean(KnownLocksListener.class);
			assertThat(listener.names).containsExactly("worker");
			context.getBean(ScopedWorker.class);
			context.getBean(LazyWorker.class);
			assertThat(listener.names).containsExactly("worker", "scoped");
		}
	}

	private static AnnotationConfigApplicationContext unstarted() {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.register(Locking.class, Template.class);
		return context;
	}

	private static void assertLocked(AnnotationConfigApplicationContext context, String lock) {
		assertThat(context.getBean(RecordingLockTemplate.class).events()).containsExactly("acquire " + lock,
				"release " + lock);
	}

	interface Work {

		void work();

	}

	static class PrivateMethod {

		@FencedLock("x")
		private void work() {
		}

	}

	static class InheritsPrivateMethod extends PrivateMethod {

	}

	static class StaticMethod {

		@FencedLock("x")
		public static void work() {
		}

	}

	static class FinalMethod implements Work {

		@Override
		@FencedLock("final")
		public final void work() {
		}

	}

	static final class FinalClass implements Runnable {

		@Override
		public void run() {
		}

		@FencedLock("x")
		public void work() {
		}

	}

	static final class FinalClassWithInterface implements Work {

		@Override
		@FencedLock("final")
		public void work() {
		}

	}

	static class NotOnInterface implements Work {

		@Override
		public void work() {
		}

		@FencedLock("x")
		public void workMore() {
		}

	}

	static class PackagePrivateMethod {

		@FencedLock("visible")
		void work() {
		}

	}

	static class SubclassFromElsewhere extends PackagePrivateBase {

	}

	static class FutureResult {

		@FencedLock("x")
		public CompletableFuture<String> work() {
			return new CompletableFuture<>();
		}

	}

	static class UnknownParameter {

		@FencedLock(name = "x", key = "#idd")
		public void work(long id) {
		}

	}

	static class InvalidName {

		@FencedLock("a:b")
		public void work() {
		}

	}

	static class InvalidDuration {

		@FencedLock(name = "x", waitTime = "soon")
		public void work() {
		}

	}

	static class SkippedNumber {

		@FencedLock(name = "x", whenUnavailable = WhenUnavailable.SKIP)
		public int work() {
			return 1;
		}

	}

	static class Worker implements Work {

		@Override
		@FencedLock("worker")
		public void work() {
		}

	}

	static class TransactionalWorker {

		@FencedLock("worker")
		@Transactional
		public void work() {
		}

	}

	static class EarlyConsumer implements BeanPostProcessor, Ordered {

		EarlyConsumer(Worker worker) {
		}

		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

	}

	static class WorkerFactoryBean implements FactoryBean<Worker> {

		private boolean created;

		@Override
		public Worker getObject() {
			this.created = true;
			return new Worker();
		}

		@Override
		public Class<?> getObjectType() {
			return Worker.class;
		}

	}

	@Lazy
	static class LazyFinalMethod {

		@FencedLock("x")
		public final void work() {
		}

	}

	@Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
	static class PrototypeWithFinalMethod {

		@FencedLock("x")
		public final void work() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyBeans {

		@Bean
		@Lazy
		Worker lazyWorker() {
			return new Worker();
		}

		@Bean
		@Lazy
		WorkerFactoryBean lazyFactory() {
			return new WorkerFactoryBean();
		}

	}

	static class First {

		@Autowired
		@Nullable Second second;

		@FencedLock("first")
		public void work() {
		}

	}

	static class Second {

		@Autowired
		@Nullable First first;

		public void workOfFirst() {
			assertThat(this.first).isNotNull();
			this.first.work();
		}

	}

	static class FirstWithFinalMethod {

		@Autowired
		@Nullable SecondOfFinal second;

		@FencedLock("first")
		public final void work() {
		}

	}

	static class SecondOfFinal {

		@Autowired
		@Nullable FirstWithFinalMethod first;

	}

	@Configuration(proxyBeanMethods = false)
	static class WithoutAutoProxy extends LockingBeans {

	}

	@Configuration(proxyBeanMethods = false)
	static class Scopes {

		@Bean
		static CustomScopeConfigurer scopes() {
			CustomScopeConfigurer configurer = new CustomScopeConfigurer();
			configurer.addScope("thread", new SimpleThreadScope());
			return configurer;
		}

	}

	@Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
	static class ScopedWorker {

		@FencedLock("scoped")
		public void work() {
		}

	}

	@Lazy
	static class LazyWorker extends Worker {

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyTargets {

		@Bean
		static BeanFactoryPostProcessor lazyTargets() {
			LazyInitTargetSourceCreator creator = new LazyInitTargetSourceCreator();
			return (beanFactory) -> {
				creator.setBeanFactory(beanFactory);
				beanFactory.getBeanDefinition(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME)
					.getPropertyValues()
					.add("customTargetSourceCreators", new TargetSourceCreator[] { creator });
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SecondProxyCreator {

		@Bean
		static DefaultAdvisorAutoProxyCreator secondProxyCreator() {
			DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
			creator.setProxyTargetClass(true);
			return creator;
		}

	}

	interface CrudOperations<T> {

		void save(T item);

	}

	interface Finder<T> {

		@FencedLock(name = "repository", key = "#id")
		void find(T id);

	}

	interface Repository extends CrudOperations<String>, Finder<String> {

		@Override
		@FencedLock(name = "repository", key = "#item")
		void save(String item);

		@Override
		void find(String key);

	}

	static class SimpleRepository implements CrudOperations<String> {

		@Override
		public void save(String item) {
		}

	}

	static class RepositoryFactoryBean implements FactoryBean<Object> {

		private final TransactionManager transactionManager;

		RepositoryFactoryBean(TransactionManager transactionManager) {
			this.transactionManager = transactionManager;
		}

		@Override
		public Object getObject() {
			ProxyFactory factory = new ProxyFactory(new SimpleRepository());
			factory.setInterfaces(Repository.class);
			factory.addAdvice(new TransactionInterceptor(this.transactionManager,
					(method, targetClass) -> new DefaultTransactionAttribute()));
			factory.addAdvice((MethodInterceptor) (invocation) -> null);
			return factory.getProxy();
		}

		@Override
		public Class<?> getObjectType() {
			return Repository.class;
		}

	}

	@FunctionalInterface
	interface LockedWork {

		@FencedLock("function")
		void work();

	}

	static class EarlyRepositoryConsumer implements BeanPostProcessor, Ordered {

		EarlyRepositoryConsumer(Repository repository) {
		}

		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

	}

	record Wrapped(LockedWork delegate) implements LockedWork {

		@Override
		public void work() {
			this.delegate.work();
		}

	}

	static class WrappingPostProcessor implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			return (bean instanceof LockedWork work) ? new Wrapped(work) : bean;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Functions {

		@Bean
		LockedWork lockedWork() {
			return () -> {
			};
		}

	}

	static class KnownLocksListener implements FencingListener {

		final List<String> names = new ArrayList<>();

		@Override
		public void lockKnown(String lock) {
			this.names.add(lock);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Listeners {

		@Bean
		FencingListener failingListener() {
			return new FencingListener() {

				@Override
				public void lockKnown(String lock) {
					throw new IllegalStateException("no room for " + lock);
				}

			};
		}

		@Bean
		KnownLocksListener knownLocksListener() {
			return new KnownLocksListener();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyWorkers {

		@Bean
		@Lazy
		LazyWorker lazyWorker() {
			return new LazyWorker();
		}

		@Bean
		@Lazy
		ScopedWorker lazyScopedWorker() {
			return new ScopedWorker();
		}

	}

}
