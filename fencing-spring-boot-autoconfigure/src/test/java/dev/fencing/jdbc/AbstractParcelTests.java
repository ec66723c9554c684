package dev.fencing.jdbc;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import dev.fencing.testsupport.TestDatabase;

/**
 * Tests of a helper on the table of parcels, on each database.
 */
@ParameterizedClass
@EnumSource
abstract class AbstractParcelTests {

	static ParcelFixture parcels;

	@BeforeParameterizedClassInvocation
	static void open(TestDatabase database) {
		parcels = new ParcelFixture(database, true);
	}

	@AfterParameterizedClassInvocation
	static void close() {
		parcels.close();
	}

	@BeforeEach
	void reset() {
		parcels.reset();
	}

}
