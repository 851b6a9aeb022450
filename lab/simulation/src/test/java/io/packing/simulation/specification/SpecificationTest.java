// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.specification;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.simulation.relink.PlantedDefect;
import io.packing.simulation.specification.PackingSpecification.Mistake;
import io.packing.simulation.specification.PackingSpecification.Size;
import io.packing.simulation.specification.PackingSpecification.TraceVerdict;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A short form of {@code bin/lab specification}. */
@Tag("process")
class SpecificationTest {
    @TempDir
    private Path dir;

    private PackingSpecification specification() {
        return new PackingSpecification(Path.of("../..").toAbsolutePath().normalize(), dir, 1);
    }

    @Test
    void aMistakeOfTheSpecificationIsFound() throws Exception {
        // The night checks that the specification without a mistake holds.
        ModelChecker.Answer mistaken = specification().model(Size.SMALL, Optional.of(Mistake.FORGET_FIRST));
        assertThat(mistaken.violated()).as(mistaken.output()).isEqualTo(Mistake.FORGET_FIRST.invariant());
    }

    @Test
    void eachStepOfASoundClusterIsOneOfTheSpecification() throws Exception {
        TraceVerdict verdict = specification().traces(PackingSpecification.record(1, 8, 200, Optional.empty()));
        assertThat(verdict.refused()).isEmpty();
        assertThat(verdict.steps()).isGreaterThan(500);
    }

    /** No read of a client shows this defect: the push of a forgotten file is committed later. */
    @Test
    void aFileThatIsForgottenBeforeItsCommitIsNoStep() throws Exception {
        TraceVerdict verdict = specification()
                .traces(PackingSpecification.record(1, 4, 300, Optional.of(PlantedDefect.FORGET_BEFORE_COMMIT)));
        assertThat(verdict.refused()).isPresent();
        assertThat(verdict.refused().get().step()).contains("\"forget\"");
    }
}
