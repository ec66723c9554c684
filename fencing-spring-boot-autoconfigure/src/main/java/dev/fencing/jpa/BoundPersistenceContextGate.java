package dev.fencing.jpa;

import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceException;

import org.hibernate.Session;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.resource.jdbc.spi.LogicalConnectionImplementor;
import org.jspecify.annotations.Nullable;

import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import dev.fencing.FencingException;
import dev.fencing.LockRequest;
import dev.fencing.transaction.Acquisition;
import dev.fencing.transaction.AcquisitionGate;

/**
 * Keeps entities that were loaded before a lease from being used under it. Spring Boot's
 * open-session-in-view binds one persistence context for a whole request: an entity
 * loaded before the lock would be handed out again after it, as it was, and written back
 * over what the former owner committed in between. A context without changes is cleared,
 * one with changes is refused. What it keeps of the connection pool meanwhile is given
 * back.
 *
 * @since 0.1.0
 */
public final class BoundPersistenceContextGate implements AcquisitionGate {

	@Override
	public void beforeAcquisition(LockRequest request) {
		for (Object resource : TransactionSynchronizationManager.getResourceMap().values()) {
			if (resource instanceof EntityManagerHolder holder) {
				check(holder.getEntityManager(), request);
			}
		}
	}

	private static void check(EntityManager entityManager, LockRequest request) {
		Session session = hibernateSession(entityManager);
		if (session == null) {
			throw new FencingException("""
					A persistence context is bound to the thread that asks for a lease on %s, and whether it holds \
					changes cannot be told (%s is not Hibernate's). Set spring.jpa.open-in-view to false, or take the \
					lease before the context is opened""".formatted(Acquisition.named(request.resources()),
					entityManager.getClass().getName()));
		}
		if (session.getStatistics().getEntityCount() > 0) {
			clear(session, request);
		}
		disconnect(session);
	}

	private static void clear(Session session, LockRequest request) {
		if (session.isDirty()) {
			throw new FencingException("""
					A persistence context with changes that are not flushed is bound to the thread that asks for a \
					lease on %s: they were made from what was read before the lease. Change entities under the \
					lease only, or set spring.jpa.open-in-view to false"""
				.formatted(Acquisition.named(request.resources())));
		}
		session.clear();
	}

	/**
	 * Give the connection back that Hibernate keeps after a read outside a transaction:
	 * who waits for a lease must not hold one, for which the owner may be waiting. The
	 * session takes another when it needs it.
	 */
	private static void disconnect(Session session) {
		SharedSessionContractImplementor implementor = session.unwrap(SharedSessionContractImplementor.class);
		LogicalConnectionImplementor connection = implementor.getJdbcCoordinator().getLogicalConnection();
		if (connection.isPhysicallyConnected() && !implementor.isTransactionInProgress()
				&& !connection.getResourceRegistry().hasRegisteredResources()) {
			connection.manualDisconnect();
		}
	}

	private static @Nullable Session hibernateSession(EntityManager entityManager) {
		try {
			return entityManager.unwrap(Session.class);
		}
		catch (PersistenceException ex) {
			return null;
		}
	}

}
