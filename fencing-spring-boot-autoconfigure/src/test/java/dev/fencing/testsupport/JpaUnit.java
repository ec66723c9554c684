package dev.fencing.testsupport;

import java.util.Arrays;
import java.util.Map;

import javax.sql.DataSource;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;

import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;

/**
 * Hibernate over a data source, as Spring Boot sets it up.
 */
public final class JpaUnit implements AutoCloseable {

	private final LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();

	private final EntityManagerFactory entityManagerFactory;

	private JpaUnit(DataSource dataSource, Class<?>... entities) {
		this.factory.setDataSource(dataSource);
		this.factory.setManagedTypes(
				PersistenceManagedTypes.of(Arrays.stream(entities).map(Class::getName).toArray(String[]::new)));
		this.factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
		this.factory.setJpaPropertyMap(Map.of("hibernate.hbm2ddl.auto", "none"));
		this.factory.afterPropertiesSet();
		this.entityManagerFactory = this.factory.getObject();
	}

	/**
	 * Set up Hibernate.
	 * @param dataSource the data source
	 * @param entities the entities
	 * @return the unit, to be closed by the caller
	 */
	public static JpaUnit on(DataSource dataSource, Class<?>... entities) {
		return new JpaUnit(dataSource, entities);
	}

	/**
	 * Create a transaction manager that nothing guards yet.
	 */
	public JpaTransactionManager transactionManager() {
		JpaTransactionManager manager = new JpaTransactionManager(this.entityManagerFactory);
		manager.afterPropertiesSet();
		return manager;
	}

	/**
	 * Return the entity manager of the current transaction.
	 */
	public EntityManager entityManager() {
		return SharedEntityManagerCreator.createSharedEntityManager(this.entityManagerFactory);
	}

	public EntityManagerFactory entityManagerFactory() {
		return this.entityManagerFactory;
	}

	@Override
	public void close() {
		this.factory.destroy();
	}

}
