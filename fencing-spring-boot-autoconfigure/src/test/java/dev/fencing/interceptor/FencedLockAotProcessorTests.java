package dev.fencing.interceptor;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.Advised;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.DecoratingProxy;
import org.springframework.core.annotation.AliasFor;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.ClassUtils;

import dev.fencing.FencedLock;
import dev.fencing.testsupport.AheadOfTime;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FencedLockAotProcessor}.
 */
class FencedLockAotProcessorTests {

	@Test
	void lockedMethodIsKeptWhereItStandsAndOnTheInterface() {
		RuntimeHints hints = process(ShippingByInterface.class);
		assertInvoked(hints, ShippingByInterface.class, "ship");
		assertInvoked(hints, Shipping.class, "ship");
	}

	@Test
	void proxyByInterfacesIsKept() {
		RuntimeHints hints = process(ShippingByInterface.class);
		assertThat(hints).matches(RuntimeHintsPredicates.proxies()
			.forInterfaces(Shipping.class, SpringProxy.class, Advised.class, DecoratingProxy.class));
	}

	@Test
	void annotationOnAnInterfaceIsSeen() {
		RuntimeHints hints = process(Archive.class);
		assertInvoked(hints, Archive.class, "store");
		assertInvoked(hints, Storage.class, "store");
		assertInvoked(hints, Order.class, "id");
	}

	@Test
	void composedAnnotationIsSeen() {
		RuntimeHints hints = process(Composed.class);
		assertInvoked(hints, Composed.class, "ship");
		assertInvoked(hints, Order.class, "id");
	}

	@Test
	void productOfAFactoryIsSeen() {
		assertInvoked(process(RepositoryFactory.class), Repository.class, "save");
	}

	@Test
	void placeholderWithoutAValueYetIsLeftToTheStart() {
		assertInvoked(process(WithPlaceholder.class), WithPlaceholder.class, "ship");
	}

	@Test
	void methodWithoutTheAnnotationIsNotKept() throws NoSuchMethodException {
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Shipping.class.getMethod("unlocked")))
			.rejects(process(ShippingByInterface.class));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			"#order.id" | Order | id
			"#a0.id" | Order | id
			"#order.customer.name" | Order | customer
			"#order.customer.name" | Customer | getName
			"#order?.customer?.vip" | Customer | isVip
			"#order.customer.label('x')" | Customer | label
			"#order.id + ':' + #order.customer.name" | Customer | getName
			"#order.id > 3 ? #order.customer.name : 1" | Customer | getName
			"#order.customer.name ?: 'none'" | Customer | getName
			"#orders.![id]" | Order | id
			"#orders.![customer.name]" | Customer | getName
			"#orders.?[id > 3].![customer.name]" | Customer | getName
			"#orders.^[id > 3].customer" | Order | customer
			"#orders[0].customer.name" | Customer | getName
			"#byName['x'].id" | Order | id
			"#byName.![value.id]" | Order | id
			"#array[0].id" | Order | id
			"{#order.id, #order.customer.name}" | Customer | getName
			"{#order}.![id]" | Order | id
			"#order['id']" | Order | id
			"#root.target.region.name" | Keys | getRegion
			"target.region.name" | Customer | getName
			"#root.args[0]" | KeyExpressionRoot | getArgs
			"method.name" | KeyExpressionRoot | getMethod
			"#boxed.content.id" | Order | id
			"@orderNames.nameOf(#order.id)" | OrderNames | nameOf
			"T(dev.fencing.interceptor.FencedLockAotProcessorTests$OrderNames).of(#order)" | OrderNames | of
			""")
	void whatAKeyReadsIsKept(String expression, String owner, String method) throws Exception {
		assertInvoked(keyHints(expression), resolve(owner), method);
	}

	@Test
	void fieldThatAKeyReadsIsKept() throws Exception {
		assertThat(keyHints("#order.customer.number"))
			.matches(RuntimeHintsPredicates.reflection().onFieldAccess(Customer.class.getField("number")));
	}

	@Test
	void constructorThatAKeyCallsIsKept() throws Exception {
		assertThat(keyHints("new java.lang.StringBuilder(#order.id)")).matches(RuntimeHintsPredicates.reflection()
			.onConstructorInvocation(StringBuilder.class.getConstructor(String.class)));
	}

	@Test
	void typeOfTheImplementingClassIsTaken() {
		assertInvoked(process(OrderSaver.class), Order.class, "id");
	}

	private static RuntimeHints keyHints(String expression) throws NoSuchMethodException {
		Method ship = Keys.class.getMethod("ship", Order.class, List.class, Map.class, Order[].class, Box.class);
		RuntimeHints hints = new RuntimeHints();
		new KeyExpressionHints(ship, Keys.class, new StaticListableBeanFactory(Map.of("orderNames", new OrderNames())),
				hints.reflection())
			.register(expression);
		return hints;
	}

	private static RuntimeHints process(Class<?>... components) {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			// As with spring.aop.proxy-target-class=false
			context.getEnvironment()
				.getPropertySources()
				.addFirst(new MapPropertySource("test", Map.of("spring.aop.proxy-target-class", false)));
			context.register(LockingContexts.Locking.class, LockingContexts.Template.class);
			context.register(components);
			return AheadOfTime.process(context);
		}
	}

	private static Class<?> resolve(String name) {
		return name.equals("KeyExpressionRoot") ? KeyExpressionRoot.class
				: ClassUtils.resolveClassName(FencedLockAotProcessorTests.class.getName() + "$" + name,
						FencedLockAotProcessorTests.class.getClassLoader());
	}

	private static void assertInvoked(RuntimeHints hints, Class<?> type, String name) {
		assertThat(type.getDeclaredMethods())
			.filteredOn((method) -> method.getName().equals(name) && !method.isBridge())
			.isNotEmpty()
			.allSatisfy((method) -> assertThat(hints)
				.matches(RuntimeHintsPredicates.reflection().onMethodInvocation(method)));
	}

	interface Shipping {

		void ship(long id);

		void unlocked();

	}

	static class ShippingByInterface implements Shipping {

		@Override
		@FencedLock(name = "order", key = "#id")
		public void ship(long id) {
		}

		@Override
		public void unlocked() {
		}

	}

	interface Storage {

		@FencedLock(name = "order", key = "#order.id")
		void store(Order order);

	}

	static class Archive implements Storage {

		@Override
		public void store(Order kept) {
		}

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@FencedLock(name = "order")
	@interface OrderLock {

		@AliasFor(annotation = FencedLock.class, attribute = "key")
		String by();

	}

	static class Composed {

		@OrderLock(by = "#order.id")
		public void ship(Order order) {
		}

	}

	interface Repository {

		@FencedLock(name = "order", key = "#id")
		void save(long id);

	}

	static class RepositoryFactory implements FactoryBean<Repository> {

		@Override
		public Repository getObject() {
			throw new IllegalStateException("Nothing is made ahead of time");
		}

		@Override
		public Class<Repository> getObjectType() {
			return Repository.class;
		}

	}

	static class WithPlaceholder {

		@FencedLock(name = "${known.at.the.start.only}", key = "#id")
		public void ship(long id) {
		}

	}

	abstract static class Saver<T> {

		@FencedLock(name = "order", key = "#entity.id")
		public void save(T entity) {
		}

	}

	static class OrderSaver extends Saver<Order> {

	}

	static class Keys {

		public Customer getRegion() {
			return new Customer();
		}

		@FencedLock(name = "order", key = "#order.id")
		public void ship(Order order, List<Order> orders, Map<String, Order> byName, Order[] array, Box<Order> boxed) {
		}

	}

	record Order(long id, Customer customer) {
	}

	record Box<T>(T content) {
	}

	static class Customer {

		public final int number = 1;

		public String getName() {
			return "name";
		}

		public boolean isVip() {
			return false;
		}

		public String label(String prefix) {
			return prefix;
		}

	}

	static class OrderNames {

		public static String of(Order order) {
			return nameOfOrder(order.id());
		}

		public String nameOf(long id) {
			return nameOfOrder(id);
		}

		private static String nameOfOrder(long id) {
			return "order " + id;
		}

	}

}
