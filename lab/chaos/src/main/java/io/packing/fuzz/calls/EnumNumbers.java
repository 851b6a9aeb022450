// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.calls;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.UnknownFieldSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * The numbers of enums, including unknown ones. Protobuf keeps each unknown number forever that a lookup asks for. So
 * this class adds such numbers as unknown fields of their message, which are equal bytes.
 */
final class EnumNumbers {
    private EnumNumbers() {}

    /** Draws numbers, most of which the enum has. */
    static List<Integer> some(EnumDescriptor type, int count, RandomGenerator random) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            numbers.add(
                    random.nextInt(3) == 0
                            ? random.nextInt()
                            : random.nextInt(type.getValues().size()));
        }
        return numbers;
    }

    /** Sets a field to its number, or a repeated one to all its numbers. */
    static void put(DynamicMessage.Builder message, FieldDescriptor field, List<Integer> numbers) {
        List<EnumValueDescriptor> known = numbers.stream()
                .map(field.getEnumType()::findValueByNumber)
                .filter(Objects::nonNull)
                .toList();
        if (known.size() < numbers.size()) {
            // All numbers of the field go there, to keep their order.
            message.mergeUnknownFields(UnknownFieldSet.newBuilder()
                    .addField(field.getNumber(), unknown(field, numbers))
                    .build());
        } else if (field.isRepeated()) {
            message.setField(field, known);
        } else {
            message.setField(field, known.get(0));
        }
    }

    private static UnknownFieldSet.Field unknown(FieldDescriptor field, List<Integer> numbers) {
        UnknownFieldSet.Field.Builder unknown = UnknownFieldSet.Field.newBuilder();
        if (field.isPacked()) {
            unknown.addLengthDelimited(packed(numbers));
        } else {
            numbers.forEach(unknown::addVarint);
        }
        return unknown.build();
    }

    private static ByteString packed(List<Integer> numbers) {
        ByteString.Output packed = ByteString.newOutput();
        try {
            CodedOutputStream out = CodedOutputStream.newInstance(packed);
            for (int number : numbers) {
                out.writeEnumNoTag(number);
            }
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteString();
    }
}
