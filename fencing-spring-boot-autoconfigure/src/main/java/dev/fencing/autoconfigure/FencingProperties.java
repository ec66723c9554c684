package dev.fencing.autoconfigure;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.util.StringUtils;

import dev.fencing.interceptor.FencedLockAdvisor;
import dev.fencing.transaction.ActiveTransaction;

/**
 * The settings of leases and fencing tokens.
 *
 * @since 0.1.0
 */
@ConfigurationProperties("fencing")
public class FencingProperties implements InitializingBean {

	/**
	 * What gives out the leases.
	 */
	private Provider provider = Provider.REDIS;

	/**
	 * Prefix of all Redis keys. Services that guard the same resources share it.
	 */
	private String namespace = "fencing";

	/**
	 * Name of this instance, shown in rejections. Host and process unless set.
	 */
	private @Nullable String instanceId;

	private final Lock lock = new Lock();

	private final Redis redis = new Redis();

	private final Jdbc jdbc = new Jdbc();

	private final Rejections rejections = new Rejections();

	@Override
	public void afterPropertiesSet() {
		FencingPropertiesCheck.check(this);
	}

	public Provider getProvider() {
		return this.provider;
	}

	public void setProvider(Provider provider) {
		this.provider = provider;
	}

	public String getNamespace() {
		return this.namespace;
	}

	public void setNamespace(String namespace) {
		this.namespace = namespace;
	}

	public @Nullable String getInstanceId() {
		return this.instanceId;
	}

	public void setInstanceId(@Nullable String instanceId) {
		this.instanceId = instanceId;
	}

	/**
	 * Return the name of this instance.
	 * @return the name that is set, else host and process; never null
	 */
	public String instanceIdOrDefault() {
		String configured = this.instanceId;
		return StringUtils.hasText(configured) ? configured : hostName() + ":" + ProcessHandle.current().pid();
	}

	private static String hostName() {
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			return "unknown-host";
		}
	}

	public Lock getLock() {
		return this.lock;
	}

	public Redis getRedis() {
		return this.redis;
	}

	public Jdbc getJdbc() {
		return this.jdbc;
	}

	public Rejections getRejections() {
		return this.rejections;
	}

	/**
	 * What gives out the leases.
	 */
	public enum Provider {

		/**
		 * Redis, through Lettuce.
		 */
		REDIS,

		/**
		 * The memory of this process: for tests.
		 */
		MEMORY

	}

	/**
	 * What becomes of server settings with which leases or their counter may be lost.
	 */
	public enum DurabilityCheck {

		/**
		 * They are logged when the application starts.
		 */
		WARN,

		/**
		 * The application does not start, neither when they cannot be read.
		 */
		FAIL,

		/**
		 * Nobody asks for them at the start.
		 */
		OFF

	}

	/**
	 * Where rejections are kept.
	 */
	public enum RejectionStore {

		/**
		 * The memory of the instance: the last ones.
		 */
		MEMORY,

		/**
		 * A table of the fenced database as well: those of all instances.
		 */
		JDBC

	}

	/**
	 * What applies to every lock that does not say otherwise.
	 */
	public static class Lock {

		/**
		 * How long a lease lasts unless it is renewed: how soon a crash is noticed, no
		 * limit for the work.
		 */
		private Duration leaseTime = Duration.ofSeconds(30);

		/**
		 * How long to wait while another owner holds the lease.
		 */
		private Duration waitTime = Duration.ofSeconds(5);

		/**
		 * How often to renew a lease. A third of the lease time unless set.
		 */
		private @Nullable Duration renewInterval;

		/**
		 * Time after which a lease is not renewed any more. No limit unless set.
		 */
		private @Nullable Duration maxHold;

		/**
		 * What becomes of a new lease that is asked for inside an open transaction.
		 */
		private ActiveTransaction activeTransaction = ActiveTransaction.REJECT;

		/**
		 * Order of the lock's advisor. It must come before the transaction's.
		 */
		private int order = FencedLockAdvisor.DEFAULT_ORDER;

		public Duration getLeaseTime() {
			return this.leaseTime;
		}

		public void setLeaseTime(Duration leaseTime) {
			this.leaseTime = leaseTime;
		}

		public Duration getWaitTime() {
			return this.waitTime;
		}

		public void setWaitTime(Duration waitTime) {
			this.waitTime = waitTime;
		}

		public @Nullable Duration getRenewInterval() {
			return this.renewInterval;
		}

		public void setRenewInterval(@Nullable Duration renewInterval) {
			this.renewInterval = renewInterval;
		}

		public @Nullable Duration getMaxHold() {
			return this.maxHold;
		}

		public void setMaxHold(@Nullable Duration maxHold) {
			this.maxHold = maxHold;
		}

		public ActiveTransaction getActiveTransaction() {
			return this.activeTransaction;
		}

		public void setActiveTransaction(ActiveTransaction activeTransaction) {
			this.activeTransaction = activeTransaction;
		}

		public int getOrder() {
			return this.order;
		}

		public void setOrder(int order) {
			this.order = order;
		}

	}

	/**
	 * The Redis that gives out the leases.
	 */
	public static class Redis {

		/**
		 * Whether generations are at least the server's time in milliseconds, so that a
		 * counter that was lost does not start again at 1.
		 */
		private boolean clockFloor = true;

		/**
		 * How many counters there are: several spread leases over a cluster. All services
		 * of a namespace have the same number.
		 */
		private int partitions = 1;

		/**
		 * What becomes of server settings with which leases or their counter may be lost.
		 */
		private DurabilityCheck durabilityCheck = DurabilityCheck.WARN;

		/**
		 * How many replicas must have a lease before anything runs under it. None unless
		 * set. Neither with Redis Cluster, nor where primary and replicas are listed.
		 */
		private int replicaAcknowledgements;

		/**
		 * How long Redis may wait until the replicas have a lease. A call may take up to
		 * twice as long, where Redis is still waiting for the lease of another one.
		 */
		private Duration replicaTimeout = Duration.ofSeconds(1);

		public boolean isClockFloor() {
			return this.clockFloor;
		}

		public void setClockFloor(boolean clockFloor) {
			this.clockFloor = clockFloor;
		}

		public int getPartitions() {
			return this.partitions;
		}

		public void setPartitions(int partitions) {
			this.partitions = partitions;
		}

		public DurabilityCheck getDurabilityCheck() {
			return this.durabilityCheck;
		}

		public void setDurabilityCheck(DurabilityCheck durabilityCheck) {
			this.durabilityCheck = durabilityCheck;
		}

		public int getReplicaAcknowledgements() {
			return this.replicaAcknowledgements;
		}

		public void setReplicaAcknowledgements(int replicaAcknowledgements) {
			this.replicaAcknowledgements = replicaAcknowledgements;
		}

		public Duration getReplicaTimeout() {
			return this.replicaTimeout;
		}

		public void setReplicaTimeout(Duration replicaTimeout) {
			this.replicaTimeout = replicaTimeout;
		}

	}

	/**
	 * The database that refuses stale owners.
	 */
	public static class Jdbc {

		private static final String DEFAULT_SCHEMA = "classpath:dev/fencing/jdbc/schema-@@platform@@.sql";

		/**
		 * Column of protected tables that carries the fencing token.
		 */
		private String tokenColumn = "fencing_token";

		/**
		 * Whether owners are registered before they read and checked before they commit.
		 * Without it row guards are all that protects.
		 */
		private boolean registration = true;

		/**
		 * How long a registration may wait while its row is locked by a commit.
		 */
		private Duration registrationTimeout = Duration.ofSeconds(5);

		/**
		 * Name of the table with the generation registry, possibly with its schema.
		 */
		private String tableName = "FENCING_GENERATION";

		/**
		 * Script that creates the generation registry.
		 */
		private String schema = DEFAULT_SCHEMA;

		/**
		 * Kind of database, as in the names of schema scripts. Detected unless set.
		 */
		private @Nullable String platform;

		/**
		 * When to create the generation registry.
		 */
		private DatabaseInitializationMode initializeSchema = DatabaseInitializationMode.EMBEDDED;

		public String getTokenColumn() {
			return this.tokenColumn;
		}

		public void setTokenColumn(String tokenColumn) {
			this.tokenColumn = tokenColumn;
		}

		public boolean isRegistration() {
			return this.registration;
		}

		public void setRegistration(boolean registration) {
			this.registration = registration;
		}

		public Duration getRegistrationTimeout() {
			return this.registrationTimeout;
		}

		public void setRegistrationTimeout(Duration registrationTimeout) {
			this.registrationTimeout = registrationTimeout;
		}

		public String getTableName() {
			return this.tableName;
		}

		public void setTableName(String tableName) {
			this.tableName = tableName;
		}

		public String getSchema() {
			return this.schema;
		}

		public void setSchema(String schema) {
			this.schema = schema;
		}

		public @Nullable String getPlatform() {
			return this.platform;
		}

		public void setPlatform(@Nullable String platform) {
			this.platform = platform;
		}

		public DatabaseInitializationMode getInitializeSchema() {
			return this.initializeSchema;
		}

		public void setInitializeSchema(DatabaseInitializationMode initializeSchema) {
			this.initializeSchema = initializeSchema;
		}

	}

	/**
	 * What was refused.
	 */
	public static class Rejections {

		private static final String DEFAULT_SCHEMA = "classpath:dev/fencing/jdbc/rejection-schema-@@platform@@.sql";

		/**
		 * Where rejections are kept: with jdbc also in a table of the fenced database,
		 * where they outlive the instance.
		 */
		private RejectionStore store = RejectionStore.MEMORY;

		/**
		 * How many rejections are kept in memory for the endpoint.
		 */
		private int capacity = 100;

		/**
		 * Whether the endpoint hides the keys of resources.
		 */
		private boolean maskKeys = false;

		/**
		 * How many rejections may wait to be stored in the table. Any more are dropped
		 * and counted.
		 */
		private int queueCapacity = 1000;

		/**
		 * How long rejections stay in the table. For ever if it is 0 or empty.
		 */
		private Duration retention = Duration.ofDays(30);

		/**
		 * Name of the table of rejections, possibly with its schema.
		 */
		private String tableName = "FENCING_REJECTION";

		/**
		 * Script that creates the table of rejections, when
		 * fencing.jdbc.initialize-schema says.
		 */
		private String schema = DEFAULT_SCHEMA;

		public RejectionStore getStore() {
			return this.store;
		}

		public void setStore(RejectionStore store) {
			this.store = store;
		}

		public int getCapacity() {
			return this.capacity;
		}

		public void setCapacity(int capacity) {
			this.capacity = capacity;
		}

		public boolean isMaskKeys() {
			return this.maskKeys;
		}

		public void setMaskKeys(boolean maskKeys) {
			this.maskKeys = maskKeys;
		}

		public int getQueueCapacity() {
			return this.queueCapacity;
		}

		public void setQueueCapacity(int queueCapacity) {
			this.queueCapacity = queueCapacity;
		}

		public Duration getRetention() {
			return this.retention;
		}

		public void setRetention(Duration retention) {
			this.retention = retention;
		}

		public String getTableName() {
			return this.tableName;
		}

		public void setTableName(String tableName) {
			this.tableName = tableName;
		}

		public String getSchema() {
			return this.schema;
		}

		public void setSchema(String schema) {
			this.schema = schema;
		}

	}

}
