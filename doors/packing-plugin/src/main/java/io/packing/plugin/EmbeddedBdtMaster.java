// SPDX-License-Identifier: Apache-2.0
package io.packing.plugin;

import alluxio.Server;
import alluxio.grpc.GrpcService;
import alluxio.grpc.ServiceType;
import alluxio.master.Master;
import alluxio.master.MasterContext;
import alluxio.master.journal.JournalContext;
import alluxio.master.journal.NoopJournaled;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A BDT master that lives as long as Alluxio's master is primary, reachable on Alluxio's own port.
 *
 * <p>It has its own log and backups (§5.1) and no part in Alluxio's journal. A BDT master that cannot start leaves
 * Alluxio running: calls to it are answered with the reason, and mounts of other kinds go on.
 */
public final class EmbeddedBdtMaster implements Master, NoopJournaled {
    static final String NAME = "PackingBdtMaster";
    private static final String OF_GROUPS = "bdt.raft.";
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedBdtMaster.class);

    private final MasterContext<?> context;
    private final Map<String, String> properties;
    private final BdtRelay relay = new BdtRelay();
    private @Nullable BdtMaster master;

    EmbeddedBdtMaster(MasterContext<?> context, Map<String, String> properties) {
        this.context = context;
        this.properties = Map.copyOf(properties);
    }

    @Override
    public String getName() {
        return NAME;
    }

    @Override
    @SuppressWarnings("rawtypes") // as Alluxio declares it
    public Set<Class<? extends Server>> getDependencies() {
        return Set.of();
    }

    @Override
    public Map<ServiceType, GrpcService> getServices() {
        // Packing clients do not log in to Alluxio: a BDT master in Alluxio has no TLS, and does not ask for
        // identities.
        return Map.of(ServiceType.UNKNOWN_SERVICE, new GrpcService(relay.service()).disableAuthentication());
    }

    @Override
    public synchronized void start(Boolean isPrimary) {
        if (!isPrimary) {
            return;
        }
        try {
            BdtMasterOptions config = checked(properties);
            BdtMaster started = BdtMaster.start(config);
            master = started;
            relay.connect(started.serve().port());
            LOG.info("the BDT master of packing mounts runs in this process, with {}", properties);
        } catch (IOException | RuntimeException | LinkageError e) {
            // Also when Alluxio brings another version of a library.
            stop();
            relay.unavailable("the BDT master in Alluxio's master did not start: " + e.getMessage());
            LOG.error("packing mounts are unavailable: their BDT master did not start with {}", properties, e);
        }
    }

    /** @throws IllegalArgumentException for options that mean nothing inside Alluxio */
    static BdtMasterOptions checked(Map<String, String> properties) {
        BdtMasterOptions config = BdtMasterOptions.from(properties);
        if (config.access().security().tls().isPresent()) {
            throw new IllegalArgumentException("clients reach it through Alluxio's port, where bdt.tls.* means nothing:"
                    + " take these options out, or run 'packing bdt-master' by itself with them");
        }
        List<String> ofGroups = properties.keySet().stream()
                .filter(key -> key.startsWith(OF_GROUPS))
                .sorted()
                .toList();
        if (!ofGroups.isEmpty()) {
            throw new IllegalArgumentException(
                    ("inside Alluxio the BDT master is where Alluxio's own primary master is, and forms no group: take %s out,"
                                    + " or run a group of 'packing bdt-master' by itself with them (docs/high-availability.md)")
                            .formatted(String.join(", ", ofGroups)));
        }
        return config;
    }

    @Override
    public synchronized void stop() {
        relay.unavailable("the BDT master in Alluxio's master is stopped");
        BdtMaster running = master;
        master = null;
        if (running != null) {
            running.close();
        }
    }

    @Override
    public void close() {
        stop();
    }

    @Override
    public JournalContext createJournalContext() {
        throw new UnsupportedOperationException(NAME + " has no part in Alluxio's journal");
    }

    @Override
    public MasterContext<?> getMasterContext() {
        return context;
    }
}
