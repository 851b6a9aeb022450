// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.packing.seed.Seed;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LoadRequestTest {
    private static final int COUNT = 100_000;

    private static Stream<LoadRequest> requests(int users) {
        SplittableRandom random = new SplittableRandom(Seed.value());
        return Stream.generate(() -> LoadRequest.next(random, users)).limit(COUNT);
    }

    private static double share(Stream<LoadRequest> requests, Function<LoadRequest, Boolean> which) {
        return requests.filter(which::apply).count() / (double) COUNT;
    }

    @Test
    void sixtyPercentAreGetsThirtyFourPutsSixDeletes() {
        assertThat(share(requests(100), r -> r.kind() == LoadRequest.Kind.GET)).isCloseTo(0.60, within(0.01));
        assertThat(share(requests(100), r -> r.kind() == LoadRequest.Kind.PUT)).isCloseTo(0.34, within(0.01));
        assertThat(share(requests(100), r -> r.kind() == LoadRequest.Kind.DELETE))
                .isCloseTo(0.06, within(0.01));
    }

    @Test
    void everyFamilyIsReadAndWrittenAsOftenAsItsWeightSays() {
        assertThat(Arrays.stream(Family.values()).mapToInt(Family::getWeight).sum())
                .isEqualTo(100);
        assertThat(Arrays.stream(Family.values()).mapToInt(Family::putWeight).sum())
                .isEqualTo(100);
        List<LoadRequest> gets =
                requests(100).filter(r -> r.kind() == LoadRequest.Kind.GET).toList();
        for (Family family : Family.values()) {
            assertThat(gets.stream().filter(r -> r.family() == family).count() / (double) gets.size())
                    .isCloseTo(family.getWeight() / 100.0, within(0.01));
        }
    }

    @Test
    void theBusiestTenthOfUsersGetsAboutHalfOfTheRequests() {
        Map<Integer, Long> perUser =
                requests(1000).collect(Collectors.groupingBy(LoadRequest::user, Collectors.counting()));
        long busiest = perUser.values().stream()
                .sorted(Comparator.reverseOrder())
                .limit(100)
                .mapToLong(n -> n)
                .sum();
        assertThat(busiest / (double) COUNT).isCloseTo(0.46, within(0.03));
    }

    @Test
    void keysAreDistinctAndSpreadOverAllRegions() {
        Set<String> keys = IntStream.range(0, 10_000).mapToObj(LoadRequest::key).collect(Collectors.toSet());
        assertThat(keys).hasSize(10_000);
        Map<Character, Long> perDigit =
                keys.stream().collect(Collectors.groupingBy(key -> key.charAt(0), Collectors.counting()));
        assertThat(perDigit)
                .hasSize(16)
                .allSatisfy((digit, count) -> assertThat(count).isBetween(400L, 900L));
    }
}
