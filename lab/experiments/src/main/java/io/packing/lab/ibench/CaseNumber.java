// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.ibench;

import com.typesafe.config.Config;
import io.packing.trace.analysis.SystemFindings;
import java.util.ArrayList;
import java.util.List;

/**
 * A number of the paper's case study (§2.3), and the same of the task that stands for it.
 *
 * @param task here
 * @param paperTask there
 * @param why Linux differs
 */
public record CaseNumber(String task, String paperTask, String text, double here, double paper, String why) {
    /** All numbers; none when the task was not found. */
    static List<CaseNumber> all(SystemFindings findings, List<String> tasks) {
        Config study = Statement.config().getConfig("case-study");
        String task = study.getString("task");
        List<CaseNumber> numbers = new ArrayList<>();
        if (tasks.contains(task)) {
            for (Config number : study.getConfigList("numbers")) {
                numbers.add(new CaseNumber(
                        task,
                        study.getString("paper-task"),
                        number.getString("text"),
                        Statement.Measure.of(number).in(findings, task).orElseThrow(),
                        number.getDouble("paper"),
                        number.getString("why")));
            }
        }
        return numbers;
    }
}
