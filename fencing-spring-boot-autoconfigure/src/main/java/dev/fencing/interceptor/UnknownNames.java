package dev.fencing.interceptor;

import java.util.LinkedHashSet;
import java.util.Set;

import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.VariableReference;

/**
 * Finds the names in a key expression that nothing stands behind. An unknown variable is
 * null to SpEL, and a parameter without its {@code #} is taken for a property of the
 * root: neither would show before the method is called.
 */
final class UnknownNames {

	private final Set<String> known;

	private final Set<String> unknown = new LinkedHashSet<>();

	private UnknownNames(Set<String> known) {
		this.known = known;
	}

	/**
	 * Return the unknown names.
	 * @param known the names of variables, with their {@code #}
	 */
	static Set<String> in(SpelNode expression, Set<String> known) {
		UnknownNames names = new UnknownNames(known);
		names.visit(expression, true);
		return names.unknown;
	}

	private void visit(SpelNode node, boolean onRoot) {
		if (node instanceof VariableReference || node instanceof FunctionReference) {
			String name = node.toStringAST().split("\\(", 2)[0];
			if (!this.known.contains(name) && !name.equals("#this")) {
				this.unknown.add(name);
			}
		}
		else if (onRoot && node instanceof PropertyOrFieldReference property
				&& !KeyExpressionRoot.PROPERTIES.contains(property.getName())) {
			this.unknown.add(property.getName());
		}
		boolean childrenOnRoot = onRoot && !hasNamesOfItsOwn(node);
		for (int i = 0; i < node.getChildCount(); i++) {
			SpelNode child = node.getChild(i);
			boolean ofPrevious = node instanceof CompoundExpression && i > 0
					&& child instanceof PropertyOrFieldReference;
			visit(child, childrenOnRoot && !ofPrevious);
		}
	}

	// A bare name in there is a property of an element or the key of a map
	private static boolean hasNamesOfItsOwn(SpelNode node) {
		return node instanceof Projection || node instanceof Selection || node instanceof Indexer
				|| node instanceof InlineMap;
	}

}
