// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.client;

import java.io.IOException;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * An incomplete flush: dead workers hold files that it could not make durable. The files of all other workers are
 * durable.
 */
public final class UnreachedWorkersException extends IOException {
    private static final long serialVersionUID = 1;

    /** @param files held, by worker */
    UnreachedWorkersException(Map<String, Long> files) {
        super(files.entrySet().stream()
                .map(each ->
                        "worker %s is gone and holds %d files: start it again on its buffer directory, then flush again"
                                .formatted(each.getKey(), each.getValue()))
                .collect(Collectors.joining("; ")));
    }
}
