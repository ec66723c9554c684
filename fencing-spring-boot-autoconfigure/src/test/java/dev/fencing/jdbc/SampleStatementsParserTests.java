package dev.fencing.jdbc;

import java.util.ArrayList;
import java.util.List;

import net.sf.jsqlparser.JSQLParserException;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.Function;
import net.sf.jsqlparser.expression.JdbcParameter;
import net.sf.jsqlparser.expression.operators.conditional.AndExpression;
import net.sf.jsqlparser.expression.operators.relational.ExpressionList;
import net.sf.jsqlparser.expression.operators.relational.MinorThan;
import net.sf.jsqlparser.expression.operators.relational.ParenthesedExpressionList;
import net.sf.jsqlparser.parser.CCJSqlParserUtil;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.statement.Statement;
import net.sf.jsqlparser.statement.delete.Delete;
import net.sf.jsqlparser.statement.insert.ConflictActionType;
import net.sf.jsqlparser.statement.insert.Insert;
import net.sf.jsqlparser.statement.insert.InsertConflictAction;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.Select;
import net.sf.jsqlparser.statement.select.SetOperationList;
import net.sf.jsqlparser.statement.select.Values;
import net.sf.jsqlparser.statement.update.Update;
import net.sf.jsqlparser.statement.update.UpdateSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A parser that is none of ours finds stamp and guard where they belong, and nothing else
 * changed. It does not know every form that the databases take: those that it cannot
 * parse as the application wrote them are left out, and counted.
 */
class SampleStatementsParserTests {

	private static final String TOKEN = "fencing_token";

	private static final List<SampleStatement> parsed = SampleStatementsTests.samples()
		.filter(SampleStatementsParserTests::isParsed)
		.toList();

	@ParameterizedTest
	@MethodSource("parsed")
	void anotherParserFindsStampAndGuard(SampleStatement sample) throws JSQLParserException {
		String guarded = Guarding.guard(sample.sql(), sample.dialect()).sql();
		Statement plain = parse(sample, sample.sql());
		Statement statement = parse(sample, guarded);
		if (statement instanceof Update update) {
			removeStamp(update.getUpdateSets());
			update.setWhere(withoutGuard(update.getWhere(), JdbcParameter.class));
		}
		else if (statement instanceof Delete delete) {
			delete.setWhere(withoutGuard(delete.getWhere(), JdbcParameter.class));
		}
		else {
			removeStamp((Insert) statement);
		}
		assertThat(statement).as(guarded).hasToString(plain.toString());
	}

	@ParameterizedTest
	@EnumSource(TestDatabase.class)
	void theOtherParserKnowsMostStatements(TestDatabase database) {
		long most = SampleStatement.readAll(database).size() * 85L / 100;
		assertThat(parsed.stream().filter((sample) -> sample.database() == database)).hasSizeGreaterThan((int) most);
	}

	static List<SampleStatement> parsed() {
		return parsed;
	}

	private static boolean isParsed(SampleStatement sample) {
		try {
			parse(sample, sample.sql());
			return true;
		}
		catch (JSQLParserException ex) {
			return false;
		}
	}

	private static Statement parse(SampleStatement sample, String sql) throws JSQLParserException {
		boolean backslashes = sample.database() == TestDatabase.MARIADB;
		return CCJSqlParserUtil.parse(sql, (parser) -> parser.withBackslashEscapeCharacter(backslashes));
	}

	private static void removeStamp(List<UpdateSet> assignments) {
		UpdateSet last = assignments.remove(assignments.size() - 1);
		assertThat(last.getColumns()).singleElement().satisfies(SampleStatementsParserTests::isToken);
		assertThat(last.getValues()).singleElement().isInstanceOf(JdbcParameter.class);
	}

	private static @Nullable Expression withoutGuard(Expression where, Class<? extends Expression> token) {
		if (where instanceof AndExpression and) {
			isGuard(and.getRightExpression(), token);
			assertThat(and.getLeftExpression()).isInstanceOf(ParenthesedExpressionList.class);
			return (Expression) ((ParenthesedExpressionList<?>) and.getLeftExpression()).get(0);
		}
		isGuard(where, token);
		return null;
	}

	private static void isGuard(Expression guard, Class<? extends Expression> token) {
		assertThat(guard).isInstanceOf(MinorThan.class);
		isToken(((MinorThan) guard).getLeftExpression());
		assertThat(((MinorThan) guard).getRightExpression()).isInstanceOf(token);
	}

	private static void isToken(Object column) {
		assertThat(column).isInstanceOfSatisfying(Column.class,
				(name) -> assertThat(name.getColumnName()).isEqualTo(TOKEN));
	}

	private static void removeStamp(Insert insert) {
		if (insert.getSetUpdateSets() != null) {
			removeStamp(insert.getSetUpdateSets());
		}
		else {
			isToken(insert.getColumns().remove(insert.getColumns().size() - 1));
			removeStamp(insert.getSelect());
		}
		InsertConflictAction action = insert.getConflictAction();
		if (action != null && action.getConflictActionType() == ConflictActionType.DO_UPDATE) {
			removeGuard(action);
		}
		if (insert.getDuplicateUpdateSets() != null) {
			removeGuard(insert.getDuplicateUpdateSets());
		}
	}

	private static void removeGuard(InsertConflictAction action) {
		UpdateSet last = action.getUpdateSets().remove(action.getUpdateSets().size() - 1);
		assertThat(last.getColumns()).singleElement().satisfies(SampleStatementsParserTests::isToken);
		assertThat(last.getValues()).singleElement().hasToString("excluded." + TOKEN);
		action.setWhereExpression(withoutGuard(action.getWhereExpression(), Column.class));
	}

	/**
	 * Each assignment of ON DUPLICATE KEY depends on the token, and so does the last,
	 * which is the stamp.
	 */
	@SuppressWarnings("unchecked")
	private static void removeGuard(List<UpdateSet> assignments) {
		for (UpdateSet assignment : assignments) {
			List<Expression> values = (List<Expression>) assignment.getValues();
			assertThat(values).singleElement().isInstanceOf(Function.class);
			Function choice = (Function) values.get(0);
			assertThat(choice.getName()).isEqualTo("if");
			isGuard(choice.getParameters().get(0), JdbcParameter.class);
			values.set(0, choice.getParameters().get(1));
		}
		removeStamp(assignments);
	}

	@SuppressWarnings("unchecked")
	private static void removeStamp(Select rows) {
		if (rows instanceof Values values) {
			List<ExpressionList<Expression>> lists = new ArrayList<>();
			if (values.getExpressions() instanceof ParenthesedExpressionList<?> row) {
				lists.add((ExpressionList<Expression>) row);
			}
			else {
				values.getExpressions().forEach((row) -> lists.add((ExpressionList<Expression>) row));
			}
			assertThat(lists).isNotEmpty()
				.allSatisfy((row) -> assertThat(row.remove(row.size() - 1)).isInstanceOf(JdbcParameter.class));
		}
		else if (rows instanceof SetOperationList list) {
			list.getSelects().forEach(SampleStatementsParserTests::removeStamp);
		}
		else {
			PlainSelect select = (PlainSelect) rows;
			assertThat(select.getSelectItems().remove(select.getSelectItems().size() - 1).toString())
				.startsWithIgnoringCase("cast(? as ");
		}
	}

}
