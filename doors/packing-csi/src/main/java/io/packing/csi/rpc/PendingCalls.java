// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.rpc;

import io.packing.csi.volume.CsiId;
import io.packing.csi.volume.CsiRefusal;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The objects about which a call is under way. Another call about one of them is refused, and comes again. Thread-safe. */
public final class PendingCalls {
    private final Set<String> objects = ConcurrentHashMap.newKeySet();

    /** The right to change an object until it is closed. */
    interface Hold extends AutoCloseable {
        @Override
        void close();
    }

    Hold hold(String object) throws CsiRefusal {
        if (!objects.add(object)) {
            throw new CsiRefusal(
                    CsiRefusal.Reason.ABORTED,
                    "another call about '%.200s' is under way: call again".formatted(object));
        }
        return () -> {
            boolean unused = objects.remove(object);
        };
    }

    Hold holdVolume(String id) throws CsiRefusal {
        return hold("volume " + key(id));
    }

    Hold holdSnapshot(String id) throws CsiRefusal {
        return hold("snapshot " + key(id));
    }

    /** Returns the key by which calls that make an object hold it, too. */
    private static String key(String id) {
        return CsiId.parse(id).map(known -> known.key().value()).orElse(id);
    }
}
