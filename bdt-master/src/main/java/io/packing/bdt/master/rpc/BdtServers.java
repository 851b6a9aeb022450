// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.rpc;

import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.health.v1.HealthGrpc;
import io.packing.bdt.rpc.BdtGrpc;
import io.packing.bdt.rpc.BdtLimits;
import io.packing.bdt.rpc.BdtRights;
import io.packing.transport.AccessControl;
import io.packing.transport.RpcServer;
import io.packing.transport.RpcServerBuilder;
import io.packing.transport.Security;
import io.packing.transport.identity.MethodRoles;
import io.packing.transport.identity.Role;
import io.packing.transport.token.TokenVerifier;
import java.io.IOException;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;

/** Starts the gRPC server of a master: the BDT protocol, what operators ask, groups, tokens if there is TLS, and the standard health service. */
public final class BdtServers {
    /** The roles that may call each method, of all services. */
    public static final MethodRoles RIGHTS = BdtRights.RIGHTS.and(
            MethodRoles.of(HealthGrpc.getServiceDescriptor(), Map.of("Check", Role.CLIENT, "Watch", Role.CLIENT)));

    /** The window of each call: most messages are smaller, and thousands of waiting calls must fit into memory. */
    private static final int WINDOW_BYTES = 256 << 10;

    private BdtServers() {}

    /** The services of a master. */
    public record Services(
            BdtService bdt,
            OperationsService operations,
            FederationService groups,
            MasterHealth health,
            Optional<TokensService> tokens) {}

    /**
     * Starts it.
     *
     * @param gate that every call passes, but for those about health; empty: there is none
     * @throws IllegalArgumentException when the server would be open to other machines without anybody having said so
     */
    public static RpcServer start(
            String host, int port, Services services, Security security, Clock clock, Optional<LeaderGate> gate)
            throws IOException {
        int threads = Math.max(4, 2 * Runtime.getRuntime().availableProcessors());
        TokenVerifier verifier = services.tokens()
                .map(tokens -> new TokenVerifier(tokens::ring, clock))
                .orElseGet(TokenVerifier::none);
        RpcServerBuilder server = new RpcServerBuilder(
                        host, port, BdtLimits.LIMITS.mostBytes(), new AccessControl(security, RIGHTS, verifier, clock))
                .threads("bdt-rpc", threads)
                // Claims are only queued for the writer; their senders wait as all callers do while that queue is full.
                .inPlace(BdtGrpc.getClaimsMethod())
                .window(WINDOW_BYTES)
                .keepAliveWithoutCalls()
                .service(gated(gate, services.bdt().bindService()))
                .service(gated(gate, services.operations().service()))
                .service(gated(gate, services.groups().service()))
                .service(services.health().service());
        services.tokens().ifPresent(tokens -> server.service(gated(gate, tokens.service())));
        return server.start();
    }

    private static ServerServiceDefinition gated(Optional<LeaderGate> gate, ServerServiceDefinition service) {
        return gate.isPresent() ? ServerInterceptors.intercept(service, gate.get()) : service;
    }
}
