// SPDX-License-Identifier: MIT

#include "CLibTOML.h"

#include <stdexcept>

// A broken assumption of the library must not end the process.
#define TOML_ASSERT(expression) \
    do { \
        if (!(expression)) throw std::logic_error("toml++"); \
    } while (false)
#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_FORMATTERS 0
#define TOML_ENABLE_WINDOWS_COMPAT 0
#define TOML_MAX_NESTED_VALUES AC_TOML_DEEPEST

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Weverything"
#include <toml++/toml.h>
#pragma clang diagnostic pop

#include <cstdio>
#include <deque>
#include <new>
#include <string>
#include <string_view>
#include <vector>

struct ac_toml {
    ac_toml_problem problem = AC_TOML_VALID;
    std::string message;
    uint32_t line = 0;
    uint32_t column = 0;
    std::vector<ac_toml_node> nodes;
    /// Texts of the nodes. A deque never moves its elements.
    std::deque<std::string> texts;
};

namespace {

/// Ends the walk through a document beyond a limit.
struct limit_exceeded {
    ac_toml_problem problem;
    toml::source_position place;
};

class collector {
  public:
    collector(ac_toml &document, size_t most) : document(document), most(most) {}

    void add(const toml::node &node, const toml::key *key, int64_t parent, int depth) {
        const auto place = (key ? key->source() : node.source()).begin;
        if (depth > AC_TOML_DEEPEST) throw limit_exceeded{AC_TOML_TOO_DEEP, place};
        if (document.nodes.size() >= most) throw limit_exceeded{AC_TOML_TOO_MANY, place};
        ac_toml_node entry = {};
        entry.parent = parent;
        entry.line = place.line;
        entry.column = place.column;
        entry.key = keep(key ? key->str() : std::string_view());
        entry.text = keep(std::string_view());
        read(node, entry);
        const auto index = static_cast<int64_t>(document.nodes.size());
        document.nodes.push_back(entry);
        if (const auto *table = node.as_table()) {
            for (auto &&[name, value] : *table) add(value, &name, index, depth + 1);
        } else if (const auto *array = node.as_array()) {
            for (auto &&value : *array) add(value, nullptr, index, depth + 1);
        }
    }

  private:
    ac_toml &document;
    size_t most;

    void read(const toml::node &node, ac_toml_node &entry) {
        switch (node.type()) {
        case toml::node_type::array:
            entry.kind = AC_TOML_ARRAY;
            break;
        case toml::node_type::string:
            entry.kind = AC_TOML_STRING;
            entry.text = keep(node.as_string()->get());
            break;
        case toml::node_type::integer:
            entry.kind = AC_TOML_INTEGER;
            entry.integer = node.as_integer()->get();
            break;
        case toml::node_type::floating_point:
            entry.kind = AC_TOML_FLOAT;
            entry.real = node.as_floating_point()->get();
            break;
        case toml::node_type::boolean:
            entry.kind = AC_TOML_BOOLEAN;
            entry.boolean = node.as_boolean()->get();
            break;
        case toml::node_type::date:
            entry.kind = AC_TOML_DATE;
            entry.text = keep(text(node.as_date()->get()));
            break;
        case toml::node_type::time:
            entry.kind = AC_TOML_TIME;
            entry.text = keep(text(node.as_time()->get()));
            break;
        case toml::node_type::date_time: {
            const auto &value = node.as_date_time()->get();
            entry.kind = AC_TOML_DATE_TIME;
            entry.text = keep(text(value.date) + "T" + text(value.time));
            break;
        }
        default:
            entry.kind = AC_TOML_TABLE;
        }
    }

    ac_toml_text keep(std::string_view text) {
        if (text.empty()) return {"", 0};
        const auto &kept = document.texts.emplace_back(text);
        return {kept.data(), kept.size()};
    }

    static std::string text(const toml::date &date) {
        char buffer[32];
        std::snprintf(buffer, sizeof buffer, "%04d-%02d-%02d", int(date.year), int(date.month), int(date.day));
        return buffer;
    }

    static std::string text(const toml::time &time) {
        char buffer[32];
        std::snprintf(buffer, sizeof buffer, "%02d:%02d:%02d", int(time.hour), int(time.minute), int(time.second));
        if (time.nanosecond == 0) return buffer;
        char fraction[16];
        std::snprintf(fraction, sizeof fraction, ".%09u", unsigned(time.nanosecond) % 1000000000u);
        return std::string(buffer) + fraction;
    }
};

void reject(ac_toml &document, ac_toml_problem problem, toml::source_position place) noexcept {
    document.nodes.clear();
    document.problem = problem;
    document.line = place.line;
    document.column = place.column;
}

void parse(ac_toml &document, std::string_view bytes, size_t most) noexcept {
    try {
        const auto table = toml::parse(bytes);
        collector(document, most).add(table, nullptr, -1, 0);
    } catch (const toml::parse_error &error) {
        reject(document, AC_TOML_SYNTAX, error.source().begin);
        try {
            document.message = error.description();
        } catch (...) {
            document.message.clear();
        }
    } catch (const limit_exceeded &limit) {
        reject(document, limit.problem, limit.place);
    } catch (const std::bad_alloc &) {
        reject(document, AC_TOML_NO_MEMORY, {});
    } catch (...) {
        reject(document, AC_TOML_SYNTAX, {});
    }
}

} // namespace

ac_toml *ac_toml_parse(const char *bytes, size_t count, size_t most) {
    try {
        auto *document = new ac_toml;
        parse(*document, {bytes, count}, most);
        return document;
    } catch (...) {
        return nullptr;
    }
}

ac_toml_problem ac_toml_problem_of(const ac_toml *document) { return document->problem; }

ac_toml_text ac_toml_message(const ac_toml *document) {
    return {document->message.data(), document->message.size()};
}

uint32_t ac_toml_line(const ac_toml *document) { return document->line; }

uint32_t ac_toml_column(const ac_toml *document) { return document->column; }

size_t ac_toml_count(const ac_toml *document) { return document->nodes.size(); }

ac_toml_node ac_toml_node_at(const ac_toml *document, size_t index) { return document->nodes[index]; }

void ac_toml_free(ac_toml *document) { delete document; }
