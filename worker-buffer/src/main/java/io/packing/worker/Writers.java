package io.packing.worker;

import io.packing.bdt.WorkerInfo;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** How a client that buffers nothing itself finds the worker that takes its files. */
@FunctionalInterface
public interface Writers {
    /**
     * The address of the worker to write to; empty when none will do now.
     *
     * @param live the workers of the mount that count as alive
     * @param broken the worker that the last stream went to, which may be dead without being known to be
     */
    Optional<String> choose(List<WorkerInfo> live, Optional<String> broken);

    /** One on the host when there is one, else any; the broken one only when there is no other. */
    static Writers preferHost(String host) {
        return (live, broken) -> live.stream()
                .map(WorkerInfo::address)
                .min(Comparator.comparing((String address) -> broken.equals(Optional.of(address)))
                        .thenComparing(address -> !address.startsWith(host + ":"))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** Always the worker at one address. */
    static Writers at(String address) {
        return (live, broken) -> Optional.of(address);
    }
}
