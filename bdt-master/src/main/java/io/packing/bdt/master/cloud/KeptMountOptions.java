// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import io.packing.bdt.BdtOptions;
import io.packing.bdt.SharedMountOptions;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.operation.SharedOptionsOperations;
import io.packing.bdt.master.table.row.Rows;
import io.packing.bdt.master.table.row.SharedOptionsRow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The options of an open mount, for all its clients: the kept ones of its table, and those by which it works since it was opened.
 * Thread-safe.
 */
public final class KeptMountOptions {
    private static final Logger LOG = LoggerFactory.getLogger(KeptMountOptions.class);

    private final String mount;
    private final MountKeys keys;
    private final SharedMountOptions working;
    private volatile Optional<SharedMountOptions> said;

    private KeptMountOptions(
            String mount, MountKeys keys, SharedMountOptions working, Optional<SharedMountOptions> said) {
        this.mount = mount;
        this.keys = keys;
        this.working = working;
        this.said = said;
    }

    /**
     * Reads them from a table, and takes its key from the keystore.
     *
     * @param otherwise what the mount works by when its table says nothing
     */
    public static KeptMountOptions load(String mount, Rows rows, MountKeys keys, SharedMountOptions otherwise)
            throws IOException {
        Optional<byte[]> key = rows.get(SharedOptionsRow.ENCRYPTION);
        if (key.isPresent()) {
            keys.use(new String(key.get(), StandardCharsets.UTF_8));
        }
        Optional<SharedMountOptions> said = SharedOptionsRow.find(rows);
        return new KeptMountOptions(mount, keys, said.orElse(otherwise), said);
    }

    /** Those by which the mount works since it was opened. */
    public SharedMountOptions working() {
        return working;
    }

    /** Returns whether the table has them: the maker of the mount or an operator has set them. */
    public boolean isSaid() {
        return said.isPresent();
    }

    /** Returns the options that each client receives. */
    public SharedMountOptions told() {
        return withKey(said.orElse(working), keys.name());
    }

    /** Returns the options of the mount with those of a maker added, where the table has only the key. */
    public SharedMountOptions adopting(SharedMountOptions named) {
        return keys.name().isEmpty() ? named : withKey(named, keys.name());
    }

    private static SharedMountOptions withKey(SharedMountOptions terms, String key) {
        Map<String, String> set = new TreeMap<>(terms.set());
        if (key.isEmpty()) {
            set.remove(BdtOptions.ENCRYPTION_KEY.key());
        } else {
            set.put(BdtOptions.ENCRYPTION_KEY.key(), key);
        }
        return SharedMountOptions.of(set);
    }

    /** Returns whether the mount works by the options that were set last; if not, it has to be opened anew. A key holds at once. */
    public boolean areInForce() {
        return withKey(told(), "").all().equals(withKey(working, "").all());
    }

    /**
     * Keeps others in the table from now on.
     *
     * @param urgent whether they change a mount that was there
     * @throws io.packing.encryption.KeyUnavailableException when the master has no such key; then nothing changes
     */
    public void say(SharedMountOptions next, Table table, boolean urgent) throws IOException {
        String key = next.get(BdtOptions.ENCRYPTION_KEY);
        if (!key.isEmpty()) {
            keys.use(key);
        }
        long position = Waiting.on(table.writer().submit(t -> SharedOptionsOperations.put(t, next, urgent)));
        said = Optional.of(next);
        LOG.info("mount {} has these options for all from position {} on: {}", mount, position, next.set());
    }

    /**
     * Admits what a client names.
     *
     * @throws IllegalArgumentException naming both values and what to do
     */
    public void check(SharedMountOptions named) {
        Optional<String> contradiction = told().contradiction(named, mount);
        if (contradiction.isPresent()) {
            throw new IllegalArgumentException(contradiction.get());
        }
    }
}
