// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.rpc;

import io.packing.bdt.BdtOptions;
import io.packing.store.StoreOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A call that opens a mount.
 *
 * @param options of the mount, as the caller names them; those by which the master asks the store are taken only from callers who may
 *     make mounts, since the master asks it for all
 * @param mayMake whether the caller may make a mount, and say what it has for all who use it
 * @param again whether the caller has opened the mount before: what it names was compared then
 * @param create whether the mount must not be there yet
 * @param mount with {@code create} the name that users give it; else the mount that is meant when the options name no store
 */
public record OpenCall(Map<String, String> options, boolean mayMake, boolean again, boolean create, String mount) {
    private static final List<String> OF_REQUESTS = List.of(
            StoreOptions.PUT_SINGLE_MAX.key(), StoreOptions.RETRY_TIMEOUT.key(), StoreOptions.CONNECTIONS.key());

    public OpenCall {
        Map<String, String> taken = new HashMap<>(options);
        if (!mayMake) {
            OF_REQUESTS.forEach(taken::remove);
        }
        options = Map.copyOf(taken);
    }

    /**
     * Returns a call that another process sent. Files, proxies and authorities of that process are not taken, and options of the bucket
     * only from callers who may make mounts.
     */
    public static OpenCall received(
            Map<String, String> sent, boolean mayMake, boolean again, boolean create, String mount) {
        Map<String, String> taken = BdtOptions.received(sent);
        if (!mayMake) {
            StoreOptions.OF_BUCKET.forEach(option -> taken.remove(option.key()));
        }
        return new OpenCall(taken, mayMake, again, create, mount);
    }

    /** A call that names its store. */
    public OpenCall(Map<String, String> options, boolean mayMake, boolean again, boolean create) {
        this(options, mayMake, again, create, "");
    }

    /** Returns this call with the options by which a store is reached; they go before the caller's. */
    OpenCall at(Map<String, String> store) {
        Map<String, String> all = new HashMap<>(options);
        KnownMounts.KEYS.forEach(all::remove);
        all.putAll(store);
        return new OpenCall(all, mayMake, again, create, mount);
    }

    /** Returns whether the caller says where the store is. */
    boolean namesStore() {
        return !options.getOrDefault(StoreOptions.STORE.key(), "").isBlank();
    }

    /** A call of an operator, or of code in the master's own process. */
    public static OpenCall of(Map<String, String> options) {
        return new OpenCall(options, true, false, false);
    }

    /** A call for a mount that is known to be there. */
    public static OpenCall again(Map<String, String> options) {
        return new OpenCall(options, true, true, false);
    }
}
