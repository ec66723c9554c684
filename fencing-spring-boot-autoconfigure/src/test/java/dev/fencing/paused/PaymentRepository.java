package dev.fencing.paused;

import org.springframework.data.jpa.repository.JpaRepository;

interface PaymentRepository extends JpaRepository<Payment, Long> {

	boolean existsByBatchAndItem(long batch, int item);

}
