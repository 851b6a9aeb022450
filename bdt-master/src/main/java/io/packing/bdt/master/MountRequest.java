// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.BdtOptions;
import io.packing.bdt.MountHomes;
import io.packing.bdt.SharedMountOptions;
import io.packing.bdt.master.rpc.OpenCall;
import io.packing.options.Option;
import io.packing.options.Options;
import io.packing.store.StoreAddress;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A checked wish to open a mount.
 *
 * @param id the mount's name, which depends on its location only
 * @param location as the client writes it
 * @param address where that is
 * @param terms what it names of the options that a mount has for all
 * @param call by which it came
 */
record MountRequest(String id, String location, StoreAddress address, SharedMountOptions terms, OpenCall call) {
    /**
     * Checks what a caller asks for.
     *
     * @param stores that this master may use
     * @throws IllegalArgumentException naming the option that is missing or wrong
     */
    static MountRequest of(OpenCall call, Stores stores) throws IOException {
        Map<String, String> raw = call.options();
        // The map holds the worker's options as well; they are the worker's to check.
        Map<String, String> own = new LinkedHashMap<>();
        for (Option<?> option : BdtOptions.OPTIONS) {
            String value = raw.get(option.key());
            if (value != null) {
                own.put(option.key(), value);
            }
        }
        String location = raw.getOrDefault("packing.store", "");
        if (location.isBlank()) {
            throw new IllegalArgumentException(
                    "option packing.store is missing: say where the mount's blobs are, such as"
                            + " s3://bucket/prefix or file:///directory");
        }
        Options unused = Options.check(own, "packing.", BdtOptions.OPTIONS);
        StoreAddress address = stores.address(raw);
        String id = DataDirectory.mountId(address.location().text());
        return new MountRequest(id, location, address, SharedMountOptions.of(raw), call);
    }

    /** Returns the wish to open a mount that has this id at another place. */
    MountRequest at(String other, Map<String, String> place, Stores stores) throws IOException {
        Map<String, String> raw = MountHomes.at(call.options(), place);
        return new MountRequest(
                other,
                raw.getOrDefault("packing.store", ""),
                stores.address(raw),
                terms,
                new OpenCall(raw, call.mayMake(), call.again(), call.create(), call.mount()));
    }

    Map<String, String> raw() {
        return call.options();
    }

    boolean mayMake() {
        return call.mayMake();
    }

    boolean create() {
        return call.create();
    }

    /** The wish to open the mount another time, with what it has for all now. */
    MountRequest again(SharedMountOptions now) {
        Map<String, String> raw = new HashMap<>(call.options());
        raw.putAll(now.all());
        return new MountRequest(id, location, address, now, OpenCall.again(raw));
    }
}
