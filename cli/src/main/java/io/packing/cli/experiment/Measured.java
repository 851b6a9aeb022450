package io.packing.cli.experiment;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.packing.cli.demo.Requests;
import io.packing.cli.demo.Side;

/**
 * One side of an ingest experiment.
 *
 * @param putsPerGb PUT-class requests (PUT, POST, COPY, LIST) while ingesting, per GiB of file bytes
 * @param measuredFiles files that were really written; the rest is extrapolated in proportion when there are fewer
 */
@JsonPropertyOrder({"files", "seconds", "puts_per_gb", "files_per_second", "measured_files"})
record Measured(
        @JsonUnwrapped Side side,
        @JsonProperty("puts_per_gb") double putsPerGb,
        @JsonProperty("files_per_second") double filesPerSecond,
        @JsonProperty("measured_files") long measuredFiles) {

    static Measured of(Side side, Requests ingest, long fileBytes, long measuredFiles) {
        return new Measured(
                side,
                (ingest.put() + ingest.list()) / ((double) side.files() * fileBytes / (1L << 30)),
                side.filesPerSecond(),
                measuredFiles);
    }
}
