package io.packing.worker.client;

import java.io.IOException;
import java.util.Map;
import java.util.stream.Collectors;

/** Workers that are gone hold files that a flush could not make durable. What the others held is durable. */
public final class UnreachedWorkersException extends IOException {
    private static final long serialVersionUID = 1;

    /** @param files by the worker that holds them */
    UnreachedWorkersException(Map<String, Long> files) {
        super(files.entrySet().stream()
                .map(each ->
                        "worker %s is gone and holds %d files: start it again on its buffer directory, then flush again"
                                .formatted(each.getKey(), each.getValue()))
                .collect(Collectors.joining("; ")));
    }
}
