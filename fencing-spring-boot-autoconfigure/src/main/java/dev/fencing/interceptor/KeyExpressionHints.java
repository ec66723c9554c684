package dev.fencing.interceptor;

import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ExpressionException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineList;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardTypeLocator;
import org.springframework.util.StringUtils;

/**
 * Finds what a key expression reads by reflection, by following the declared types from
 * the parameters on. What only another class has that the argument may be of cannot be
 * seen.
 */
final class KeyExpressionHints {

	private static final ResolvableType UNKNOWN = ResolvableType.NONE;

	private static final ResolvableType ROOT = ResolvableType.forClass(KeyExpressionRoot.class);

	private static final SpelExpressionParser PARSER = new SpelExpressionParser();

	private final Map<String, ResolvableType> variables;

	private final Class<?> target;

	private final BeanFactory beanFactory;

	private final ReflectionHints hints;

	/**
	 * Create a finder for the expressions of one method.
	 * @param annotated the method on which the annotation is written
	 * @param target the class whose method is locked
	 * @param beanFactory knows the types of beans
	 * @param hints where to register what is found
	 */
	KeyExpressionHints(Method annotated, Class<?> target, BeanFactory beanFactory, ReflectionHints hints) {
		this.variables = variables(annotated, target);
		this.target = target;
		this.beanFactory = beanFactory;
		this.hints = hints;
	}

	private static Map<String, ResolvableType> variables(Method annotated, Class<?> target) {
		Map<String, ResolvableType> variables = new HashMap<>();
		String[] names = KeyExpression.PARAMETER_NAMES.getParameterNames(annotated);
		for (int i = 0; i < annotated.getParameterCount(); i++) {
			ResolvableType type = ResolvableType.forMethodParameter(annotated, i, target);
			variables.put("#a" + i, type);
			variables.put("#p" + i, type);
			if (names != null) {
				variables.put("#" + names[i], type);
			}
		}
		return variables;
	}

	/**
	 * Register what an expression reads. One that cannot be parsed is left to the start,
	 * which says what is wrong with it.
	 */
	void register(String expression) {
		if (StringUtils.hasText(expression)) {
			SpelNode node;
			try {
				node = PARSER.parseRaw(expression).getAST();
			}
			catch (ExpressionException ex) {
				return;
			}
			visit(node, ROOT, ROOT);
		}
	}

	/**
	 * Visit a node.
	 * @param active what a bare name is a property of
	 * @param scope the same, as it was before the first dot
	 * @return the type of the node's value
	 */
	private ResolvableType visit(SpelNode node, ResolvableType active, ResolvableType scope) {
		if (node instanceof CompoundExpression) {
			ResolvableType type = visit(node.getChild(0), active, scope);
			for (int i = 1; i < node.getChildCount(); i++) {
				type = visit(node.getChild(i), type, scope);
			}
			return type;
		}
		if (node instanceof PropertyOrFieldReference property) {
			return property(active, property.getName());
		}
		if (node instanceof Projection) {
			ResolvableType element = elementOf(active);
			ResolvableType projected = visit(node.getChild(0), element, element);
			return listOf(projected);
		}
		if (node instanceof Selection) {
			ResolvableType element = elementOf(active);
			visit(node.getChild(0), element, element);
			return node.toStringAST().startsWith("?") ? active : element;
		}
		// Arguments and indexes begin anew
		boolean beginsAnew = node instanceof MethodReference || node instanceof Indexer;
		ResolvableType first = UNKNOWN;
		for (int i = 0; i < node.getChildCount(); i++) {
			ResolvableType child = visit(node.getChild(i), beginsAnew ? scope : active, scope);
			first = (i == 0) ? child : first;
		}
		if (node instanceof MethodReference method) {
			return method(active, method.getName(), node.getChildCount());
		}
		if (node instanceof Indexer) {
			return indexed(active, node.getChild(0));
		}
		if (node instanceof InlineList) {
			return listOf(first);
		}
		return (node instanceof Elvis) ? first : leaf(node, active);
	}

	private ResolvableType leaf(SpelNode node, ResolvableType active) {
		String text = node.toStringAST();
		if (node instanceof VariableReference) {
			return switch (text) {
				case "#root" -> ROOT;
				case "#this" -> active;
				default -> this.variables.getOrDefault(text, UNKNOWN);
			};
		}
		if (node instanceof BeanReference) {
			String name = text.substring(1).replace("'", "");
			return this.beanFactory.containsBean(name) ? ResolvableType.forClass(this.beanFactory.getType(name))
					: UNKNOWN;
		}
		if (node instanceof TypeReference) {
			return type(text.substring(2, text.length() - 1));
		}
		if (node instanceof ConstructorReference) {
			ResolvableType type = type(node.getChild(0).toStringAST());
			if (type.resolve() != null) {
				this.hints.registerType(type.toClass(), MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
			}
			return type;
		}
		if (node instanceof Literal literal) {
			return ResolvableType.forInstance(literal.getLiteralValue().getValue());
		}
		return UNKNOWN;
	}

	private ResolvableType type(String name) {
		try {
			return ResolvableType.forClass(new StandardTypeLocator(this.target.getClassLoader()).findType(name));
		}
		catch (EvaluationException ex) {
			return UNKNOWN;
		}
	}

	private ResolvableType property(ResolvableType owner, String name) {
		Class<?> type = owner.resolve();
		if (type == null) {
			return UNKNOWN;
		}
		String capitalized = StringUtils.capitalize(name);
		Set<String> getters = Set.of("get" + capitalized, "is" + capitalized, name);
		ResolvableType value = register(owner, Arrays.stream(type.getMethods())
			.filter((method) -> method.getParameterCount() == 0 && getters.contains(method.getName())));
		if (value.resolve() == null) {
			value = register(owner, Arrays.stream(type.getFields()).filter((field) -> field.getName().equals(name)));
		}
		return (type == KeyExpressionRoot.class && name.equals("target")) ? ResolvableType.forClass(this.target)
				: value;
	}

	private ResolvableType method(ResolvableType owner, String name, int arguments) {
		Class<?> type = owner.resolve();
		return (type != null) ? register(owner,
				Arrays.stream(type.getMethods())
					.filter((method) -> method.getName().equals(name)
							&& (method.isVarArgs() || method.getParameterCount() == arguments)))
				: UNKNOWN;
	}

	/**
	 * Register members and return the type of the first one's value.
	 */
	private ResolvableType register(ResolvableType owner, Stream<? extends Member> members) {
		List<? extends Member> found = members
			.filter((member) -> Modifier.isPublic(member.getModifiers()) && !member.isSynthetic())
			.toList();
		found.forEach((member) -> {
			if (member instanceof Method method) {
				this.hints.registerMethod(method, ExecutableMode.INVOKE);
			}
			else if (member instanceof Field field) {
				this.hints.registerField(field);
			}
		});
		return found.isEmpty() ? UNKNOWN : valueOf(found.get(0), owner);
	}

	private static ResolvableType valueOf(Member member, ResolvableType owner) {
		Class<?> declaring = member.getDeclaringClass();
		ResolvableType as = owner.as(declaring);
		if (member instanceof Method method) {
			return ResolvableType.forType(method.getGenericReturnType(), as);
		}
		return ResolvableType.forField((Field) member, as);
	}

	private ResolvableType indexed(ResolvableType owner, SpelNode index) {
		Class<?> type = owner.resolve();
		if (type == null) {
			return UNKNOWN;
		}
		if (Map.class.isAssignableFrom(type)) {
			return owner.as(Map.class).getGeneric(1);
		}
		ResolvableType element = elementOf(owner);
		if (element.resolve() == null && index instanceof StringLiteral literal) {
			return property(owner, String.valueOf(literal.getLiteralValue().getValue()));
		}
		return element;
	}

	private static ResolvableType elementOf(ResolvableType owner) {
		Class<?> type = owner.resolve();
		if (type == null) {
			return UNKNOWN;
		}
		if (type.isArray()) {
			return owner.getComponentType();
		}
		if (Map.class.isAssignableFrom(type)) {
			ResolvableType map = owner.as(Map.class);
			return ResolvableType.forClassWithGenerics(Map.Entry.class, map.getGeneric(0), map.getGeneric(1));
		}
		return Iterable.class.isAssignableFrom(type) ? owner.as(Iterable.class).getGeneric(0) : UNKNOWN;
	}

	private static ResolvableType listOf(ResolvableType element) {
		return (element.resolve() != null) ? ResolvableType.forClassWithGenerics(List.class, element) : UNKNOWN;
	}

}
