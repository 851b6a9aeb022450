// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import io.packing.bdt.WorkerInfo;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The choice of workers that take the files of a client without a buffer. */
@FunctionalInterface
public interface Writers {
    /**
     * Returns the addresses of workers, the best one first; the client asks the next one when one does not answer.
     *
     * @param live the workers of the mount that count as alive
     * @param broken the worker of the last stream, which may be dead before the master knows it
     */
    List<String> order(List<WorkerInfo> live, Optional<String> broken);

    /** Prefers the workers on this host, and takes the broken one last. */
    static Writers preferHost(String host) {
        return (live, broken) -> live.stream()
                .map(WorkerInfo::address)
                .sorted(Comparator.comparing((String address) -> broken.equals(Optional.of(address)))
                        .thenComparing(address -> !address.startsWith(host + ":"))
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    /** Always returns this one address. */
    static Writers at(String address) {
        return (live, broken) -> List.of(address);
    }
}
