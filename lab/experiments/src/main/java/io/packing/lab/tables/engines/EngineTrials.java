// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.tables.engines;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonIgnore;
import io.packing.cli.launch.Narrator;
import io.packing.rig.DirectoryRig;
import io.packing.rig.Workspace;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Trials of engines with their own servers, one after the other, each on a mount's tables of its own.
 *
 * @param seed of the times of kills
 * @param kills of an engine whose processes are killed
 * @param trinoJava the home of Trino's runtime; empty: one of those of this machine
 */
public record EngineTrials(
        List<TableEngine> engines, EngineJars jars, int kills, long seed, Optional<Path> trinoJava, Narrator narrator) {
    public EngineTrials {
        engines = List.copyOf(engines);
    }

    /** The figures by engine. */
    public record Result(long seed, @JsonIgnore Map<String, EngineFigures> engines) {
        @JsonAnyGetter
        Map<String, EngineFigures> byKey() {
            return engines;
        }

        /** Returns whether no engine has lost or doubled a row. */
        @JsonIgnore
        public boolean isSound() {
            return engines.values().stream().allMatch(EngineFigures::isSound);
        }

        public void print(PrintWriter out) {
            out.printf(
                    Locale.ROOT,
                    "%-8s %6s %10s %6s %8s %6s %6s %8s%n",
                    "engine",
                    "steps",
                    "conflicts",
                    "kills",
                    "rows",
                    "lost",
                    "twice",
                    "seconds");
            engines.forEach((key, each) -> out.printf(
                    Locale.ROOT,
                    "%-8s %,6d %,10d %,6d %,8d %,6d %,6d %,8.1f%n",
                    key,
                    each.steps(),
                    each.conflicts(),
                    each.kills(),
                    each.rows(),
                    each.lost(),
                    each.twice(),
                    each.seconds()));
        }
    }

    /** Tries each engine on a mount. */
    public Result run(DirectoryRig rig) throws IOException, InterruptedException {
        Map<String, EngineFigures> figures = new LinkedHashMap<>();
        for (TableEngine engine : engines) {
            narrator.accept("starting " + engine.key());
            try (Workspace workspace = Workspace.create("packing-" + engine.key())) {
                figures.put(engine.key(), trial(engine).run(EngineGround.start(rig, workspace, jars, seed)));
            }
        }
        return new Result(seed, Collections.unmodifiableMap(figures));
    }

    private EngineTrial trial(TableEngine engine) throws IOException {
        return switch (engine) {
            case TRINO -> new TrinoTrial(EngineJars.javaOfTrino(trinoJava), narrator);
            case FLINK -> new FlinkTrial(kills, narrator);
            case HUDI -> new HudiTrial(narrator);
        };
    }
}
