package dev.fencing.test.app;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.bean.override.convention.TestBean;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;

import dev.fencing.FencingContext;
import dev.fencing.test.AutoConfigureFencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.BDDMockito.willAnswer;

/**
 * What a test puts in the place of a locked bean is used as it is.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE)
@AutoConfigureFencing
class ReplacedBeansTests {

	@TestBean
	Documents documents;

	@MockitoBean
	HelpedDocuments helped;

	@MockitoSpyBean
	DocumentEntities entities;

	@Autowired
	JdbcTemplate jdbc;

	static Documents documents() {
		return new StubbedDocuments();
	}

	@Test
	void testBeanIsNotLocked() {
		this.documents.rename(42, "A");
		assertThat(this.documents.title(42)).isEqualTo("stub: A, not fenced");
	}

	@Test
	void mockIsNotLocked() {
		willAnswer((invocation) -> {
			assertThat(FencingContext.current()).isEmpty();
			return null;
		}).given(this.helped).rename(anyLong(), anyString());
		this.helped.rename(42, "A");
	}

	@Test
	void spyIsLocked() {
		this.entities.rename(42, "spied");
		assertThat(this.jdbc.queryForObject("select title from document where id = 42", String.class))
			.isEqualTo("spied");
	}

	@Nested
	class InANestedClass {

		@Test
		void testBeanIsNotLocked() {
			ReplacedBeansTests.this.testBeanIsNotLocked();
		}

	}

	private static final class StubbedDocuments extends Documents {

		private String title = "";

		StubbedDocuments() {
			super(new JdbcTemplate());
		}

		@Override
		public void rename(long id, String title) {
			this.title = "stub: " + title + (FencingContext.current().isPresent() ? ", fenced" : ", not fenced");
		}

		@Override
		public String title(long id) {
			return this.title;
		}

	}

}
