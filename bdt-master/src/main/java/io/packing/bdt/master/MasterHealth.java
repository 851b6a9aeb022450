package io.packing.bdt.master;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import java.util.Optional;
import java.util.function.Supplier;

/** The standard gRPC health service of a master, which asks anew at every check. Thread-safe. */
final class MasterHealth implements ServerInterceptor {
    private final HealthStatusManager manager = new HealthStatusManager();
    private final Supplier<Optional<String>> problem;

    /** @param problem why the master does not do its work, if it does not */
    MasterHealth(Supplier<Optional<String>> problem) {
        this.problem = problem;
    }

    ServerServiceDefinition service() {
        return ServerInterceptors.intercept(manager.getHealthService(), this);
    }

    /** Tells those who watch. */
    void refresh() {
        ServingStatus status = problem.get().isEmpty() ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
        manager.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, status);
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        refresh();
        return next.startCall(call, headers);
    }
}
