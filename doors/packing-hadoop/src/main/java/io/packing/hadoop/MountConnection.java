// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import io.packing.bdt.Durability;
import io.packing.bdt.IssuedToken;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.client.MountName;
import io.packing.store.EnvironmentKeys;
import io.packing.store.ObjectStores;
import io.packing.store.StoreOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import io.packing.worker.read.ReadCaches;
import java.io.IOException;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;

/** An open mount and its connection to the BDT master. */
final class MountConnection implements AutoCloseable {
    private static final String OPTION_PREFIX = "packing.";
    /** The caches of all file systems: those of several users, or with several configurations, read the same blobs. */
    private static final ReadCaches CACHES = new ReadCaches();

    private final MasterConnection master;
    private final RemotePackingFileSystem mount;

    private MountConnection(MasterConnection master, RemotePackingFileSystem mount) {
        this.master = master;
        this.mount = mount;
    }

    /**
     * Opens the mount at a BDT master.
     *
     * @param configuration whose keys {@code packing.*} are the options of the mount
     * @param user whose token for the file system, or Kerberos ticket, goes before the identity of the options
     */
    static MountConnection open(String address, Configuration configuration, UserGroupInformation user)
            throws IOException {
        MasterConnection master = master(address, configuration, user);
        try {
            Map<String, String> complete = MountName.parse(address).complete(master.bdts(), options(configuration));
            MountOptions options =
                    MountOptions.from(complete).securedBy(master.options().security());
            return new MountConnection(master, open(master.bdts(), options));
        } catch (IOException | RuntimeException e) {
            master.close();
            throw e;
        }
    }

    /** Connects to a master by itself, without its mounts. */
    static MasterConnection master(String address, Configuration configuration, UserGroupInformation user)
            throws IOException {
        return MasterConnection.open(
                address, MountOptions.from(StoreOptions.orUnknownStore(options(configuration))), user);
    }

    private static Map<String, String> options(Configuration configuration) throws IOException {
        Map<String, String> raw = new HashMap<>();
        configuration.getPropsWithPrefix(OPTION_PREFIX).forEach((key, value) -> raw.put(OPTION_PREFIX + key, value));
        for (String key : List.of(StoreOptions.ACCESS_KEY.key(), StoreOptions.SECRET_KEY.key())) {
            // Perhaps from a credential file rather than from the configuration itself.
            char[] secret = configuration.getPassword(key);
            if (secret != null) {
                raw.put(key, new String(secret));
            }
        }
        return EnvironmentKeys.added(raw, System.getenv());
    }

    private static RemotePackingFileSystem open(GrpcBdts master, MountOptions options) throws IOException {
        Writers writers = Writers.preferHost(InetAddress.getLocalHost().getHostName());
        return RemotePackingFileSystem.open(master, options, ObjectStores::open, writers, CACHES);
    }

    /** Returns the losses that a closed or flushed file survives. */
    Durability durability() {
        return mount.durability();
    }

    /** Returns whether the connection has TLS, by which both ends prove their identities. */
    boolean isSecured() {
        return master.options().security().tls().isPresent();
    }

    /** Issues a job's token for the user of this connection. */
    IssuedToken issue(String renewer) throws IOException {
        return master.issue(renewer);
    }

    RemotePackingFileSystem mount() {
        return mount;
    }

    @Override
    public void close() throws IOException {
        try (master) {
            mount.close();
        }
    }
}
