package dev.fencing.persistence;

import javax.sql.DataSource;

import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;
import org.mybatis.spring.SqlSessionFactoryBean;
import org.mybatis.spring.annotation.MapperScan;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * Mappers of MyBatis.
 */
class MyBatisTests extends AbstractPersistenceTests {

	@SpringBootConfiguration
	@MapperScan(basePackageClasses = DocumentMapper.class, annotationClass = Mapper.class)
	@Import(MyBatisDocuments.class)
	static class Application extends WithoutJpa {

		@Bean
		SqlSessionFactoryBean sqlSessionFactory(DataSource dataSource) {
			SqlSessionFactoryBean factory = new SqlSessionFactoryBean();
			factory.setDataSource(dataSource);
			return factory;
		}

	}

	static class MyBatisDocuments extends Documents {

		private final DocumentMapper mapper;

		MyBatisDocuments(DocumentMapper mapper) {
			this.mapper = mapper;
		}

		@Override
		protected String read(long id) {
			return this.mapper.findTitle(id);
		}

		@Override
		protected void write(long id, String title) {
			this.mapper.rename(id, title);
		}

	}

	@Mapper
	interface DocumentMapper {

		@Select("select title from document where id = #{id}")
		String findTitle(long id);

		@Update("update document set title = #{title} where id = #{id}")
		void rename(@Param("id") long id, @Param("title") String title);

	}

}
