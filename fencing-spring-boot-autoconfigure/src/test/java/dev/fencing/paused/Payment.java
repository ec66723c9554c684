package dev.fencing.paused;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;

/**
 * A payment of one item. Nothing in the table forbids a second one.
 */
@Entity
class Payment {

	@Id
	@GeneratedValue(strategy = GenerationType.IDENTITY)
	private long id;

	private long batch;

	private int item;

	private String payer = "";

	protected Payment() {
	}

	Payment(long batch, int item, String payer) {
		this.batch = batch;
		this.item = item;
		this.payer = payer;
	}

}
