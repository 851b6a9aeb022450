package io.packing.worker.api;

import io.packing.bdt.WorkerInfo;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Which workers a client that buffers nothing itself asks to take its files. */
@FunctionalInterface
public interface Writers {
    /**
     * The addresses of workers, the best one first; those after it are for when it does not answer.
     *
     * @param live the workers of the mount that count as alive
     * @param broken the worker that the last stream went to, which may be dead without being known to be
     */
    List<String> order(List<WorkerInfo> live, Optional<String> broken);

    /** Those on the host first, the broken one last. */
    static Writers preferHost(String host) {
        return (live, broken) -> live.stream()
                .map(WorkerInfo::address)
                .sorted(Comparator.comparing((String address) -> broken.equals(Optional.of(address)))
                        .thenComparing(address -> !address.startsWith(host + ":"))
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    /** Always the worker at one address. */
    static Writers at(String address) {
        return (live, broken) -> List.of(address);
    }
}
