// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import com.typesafe.config.Config;
import io.packing.sim.KnownNames;
import java.util.Optional;

/** A model of a cache alone. */
record CacheModel(Config cache) implements ExperimentModel {
    CacheModel {
        CacheTask.NAMES.check(cache);
    }

    @Override
    public KnownNames names() {
        return CacheTask.NAMES;
    }

    @Override
    public void check(Config changes) {
        CacheTask.NAMES.check(changes);
    }

    @Override
    public Optional<String> unread(Config changes, String name) {
        if (changes.hasPath(name)) {
            return Optional.of("the sweep sets it at every point");
        }
        Config all = changes.withFallback(cache).withFallback(CacheTask.NAMES.defaults());
        String format = all.getString("format");
        boolean read = name.startsWith("zipf.")
                ? format.equals("zipf")
                : name.startsWith("csv.") ? format.equals("csv") : !name.equals("files") || !format.equals("zipf");
        if (!read) {
            return Optional.of("the format %s does not read it".formatted(format));
        }
        return name.equals("size") && all.getBytes("bytes") > 0
                ? Optional.of("the capacity counts bytes")
                : Optional.empty();
    }

    @Override
    public ExperimentModel with(Config values) {
        return new CacheModel(values.withFallback(cache));
    }

    @Override
    public ExperimentModel reseeded(long more) {
        if (!cache.withFallback(CacheTask.NAMES.defaults()).getString("format").equals("zipf")) {
            throw new IllegalArgumentException("recorded traces have no seed, so there are not several");
        }
        return new CacheModel(ExperimentModel.larger(cache, CacheTask.NAMES.defaults(), "zipf.seed", more));
    }

    @Override
    public Task task(Config changes) {
        return new CacheTask(changes.withFallback(cache));
    }
}
