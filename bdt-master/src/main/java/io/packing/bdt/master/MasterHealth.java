package io.packing.bdt.master;

import io.grpc.Server;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps what a server's gRPC health service says at what the master knows of itself, for as long as the server runs. */
final class MasterHealth {
    private static final Logger LOG = LoggerFactory.getLogger(MasterHealth.class);
    private static final long EVERY_MILLIS = 500;

    private final HealthStatusManager served;
    private final Supplier<Optional<String>> problem;
    private boolean well = true;

    private MasterHealth(HealthStatusManager served, Supplier<Optional<String>> problem) {
        this.served = served;
        this.problem = problem;
    }

    /**
     * Starts to.
     *
     * @param problem why the master does not do its work, if it does not
     */
    static void follow(Server server, HealthStatusManager served, Supplier<Optional<String>> problem) {
        MasterHealth health = new MasterHealth(served, problem);
        Thread thread = new Thread(
                () -> {
                    try {
                        while (!server.awaitTermination(EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
                            health.step();
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "bdt-health");
        thread.setDaemon(true);
        thread.start();
    }

    private void step() {
        Optional<String> now;
        try {
            now = problem.get();
        } catch (RuntimeException | Error e) {
            now = Optional.of("health could not be asked: " + e);
        }
        if (now.isPresent() == well) {
            well = now.isEmpty();
            served.setStatus("", well ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
            LOG.warn("the master is {}", now.map(why -> "not healthy: " + why).orElse("healthy again"));
        }
    }
}
