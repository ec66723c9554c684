package dev.fencing.interceptor;

import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.ExpressionException;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.expression.spel.support.StandardTypeLocator;

/**
 * The SpEL expression of a key, parsed once. It knows the parameters by the names that
 * they have where the annotation is written.
 */
final class KeyExpression {

	static final ParameterNameDiscoverer PARAMETER_NAMES = new DefaultParameterNameDiscoverer();

	private static final int NO_ARGUMENT = -1;

	private final SpelExpression expression;

	private final Method annotated;

	private final int argument;

	/**
	 * What all evaluations share: the accessors remember which getter a property has.
	 */
	private final StandardEvaluationContext shared = new StandardEvaluationContext();

	private KeyExpression(SpelExpression expression, Method annotated) {
		this.expression = expression;
		this.annotated = annotated;
		this.argument = argument(expression, annotated);
		// Not that of the thread which happens to be the first to ask
		this.shared.setTypeLocator(new StandardTypeLocator(annotated.getDeclaringClass().getClassLoader()));
	}

	/**
	 * Return the argument that is all of an expression: most keys are no more than that,
	 * and need not be evaluated.
	 * @return its index, or -1 if there is more to the expression
	 */
	private static int argument(SpelExpression expression, Method annotated) {
		int found = NO_ARGUMENT;
		String name = expression.getAST().toStringAST();
		// The root object comes before a parameter of that name
		if (expression.getAST() instanceof VariableReference && !name.equals("#root")) {
			String[] parameters = PARAMETER_NAMES.getParameterNames(annotated);
			for (int i = 0; i < annotated.getParameterCount(); i++) {
				// As the context does it: a later one takes a name from an earlier one
				if (name.equals("#a" + i) || name.equals("#p" + i)
						|| (parameters != null && name.equals("#" + parameters[i]))) {
					found = i;
				}
			}
		}
		return found;
	}

	/**
	 * Parse an expression and check the names that it uses.
	 * @param annotated the method on which the annotation is written
	 * @param parser what parses
	 */
	static KeyExpression parse(String text, Method annotated, SpelExpressionParser parser) {
		SpelExpression expression;
		try {
			expression = parser.parseRaw(text);
		}
		catch (ExpressionException ex) {
			throw new InvalidFencedLockException(annotated,
					"the key expression '%s' cannot be parsed: %s".formatted(text, ex.getMessage()),
					"Correct the expression", ex);
		}
		String[] parameters = PARAMETER_NAMES.getParameterNames(annotated);
		Set<String> known = knownNames(annotated, parameters);
		Set<String> unknown = UnknownNames.in(expression.getAST(), known);
		if (!unknown.isEmpty()) {
			String advice = (parameters != null) ? "Use one of them"
					: "Use one of them, or compile the class with '-parameters' ('-java-parameters' in Kotlin)"
							+ " so that its parameters have names";
			throw new InvalidFencedLockException(annotated, "the key expression '%s' uses %s, but knows only %s"
				.formatted(text, String.join(", ", unknown), String.join(", ", known)), advice);
		}
		return new KeyExpression(expression, annotated);
	}

	private static Set<String> knownNames(Method method, @Nullable String @Nullable [] parameters) {
		Set<String> names = new LinkedHashSet<>();
		for (int i = 0; i < method.getParameterCount(); i++) {
			if (parameters != null && parameters[i] != null) {
				names.add("#" + parameters[i]);
			}
			names.add("#a" + i);
			names.add("#p" + i);
		}
		names.add("#root");
		return names;
	}

	/**
	 * Evaluate the expression for one call.
	 * @return the value, or null if that is what the expression gives
	 * @throws IllegalArgumentException if it cannot be evaluated
	 */
	@Nullable Object evaluate(@Nullable Object target, Method method, @Nullable Object[] arguments, BeanFactory beanFactory) {
		if (this.argument != NO_ARGUMENT) {
			return arguments[this.argument];
		}
		KeyExpressionRoot root = new KeyExpressionRoot(target, method, arguments);
		MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(root, this.annotated, arguments,
				PARAMETER_NAMES);
		this.shared.applyDelegatesTo(context);
		context.setBeanResolver(new BeanFactoryResolver(beanFactory));
		try {
			return this.expression.getValue(context);
		}
		catch (RuntimeException ex) {
			throw new IllegalArgumentException("It cannot be evaluated: " + ex.getMessage(), ex);
		}
	}

	@Override
	public String toString() {
		return this.expression.getExpressionString();
	}

}
